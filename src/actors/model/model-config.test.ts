import { expect, test } from 'vitest';
import { sampleRequest } from '../actor.contract.ts';
import { callHeaders } from './request-settings.ts';
import { endpointOf, type ModelConfig } from './model-config.ts';

const at = (baseUrl: string) => endpointOf({ name: 'm', provider: 'openai-compatible', model: 'm', baseUrl });

test('[U4] a bare address gets the path all three wire formats live under, any other path is kept', () => {
  expect(at('http://127.0.0.1:8000').url).toBe('http://127.0.0.1:8000/v1');
  expect(at('https://host.test/api/v3/').url).toBe('https://host.test/api/v3');
});

test('[U4] vendors have their own address, whatever the environment says', () => {
  const vendor = (provider: ModelConfig['provider']) => endpointOf({ name: 'm', provider, model: 'm' }).url;
  expect(vendor('openai')).toBe('https://api.openai.com/v1');
  expect(vendor('anthropic')).toBe('https://api.anthropic.com/v1');
});

test('[L9] only loopback endpoints learn the speaker; the idempotency key goes everywhere', () => {
  const far = callHeaders(sampleRequest(), at('https://127.0.0.1.example.test/v1'));
  expect(Object.keys(far)).toEqual(['idempotency-key']);
  for (const near of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.9.9:1']) {
    expect(callHeaders(sampleRequest(), at(near))).toMatchObject({ 'x-troupe-state': 'coding', 'x-troupe-visit': '1' });
  }
});
