import { expect, test } from 'vitest';
import { telemetrySettings, wantsTelemetry } from './telemetry-settings.ts';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

test.each([
  [{}, false],
  [{ [ENDPOINT]: '' }, false],
  [{ [ENDPOINT]: 'http://a' }, true],
  [{ [TRACES]: 'http://a' }, true],
  [{ [ENDPOINT]: 'http://a', OTEL_SDK_DISABLED: 'TRUE' }, false],
  [{ [ENDPOINT]: 'http://a', OTEL_SDK_DISABLED: 'no' }, true],
  [{ [ENDPOINT]: 'http://a', OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ [ENDPOINT]: 'http://a', OTEL_TRACES_EXPORTER: 'console, otlp' }, true],
])('[U9] with %j traces are wanted: %s', (environment, isWanted) => {
  expect(wantsTelemetry(environment)).toBe(isWanted);
});

test.each([
  [{ [ENDPOINT]: 'http://a:4318' }, 'http://a:4318/v1/traces'],
  [{ [ENDPOINT]: 'https://a/otlp/' }, 'https://a/otlp/v1/traces'],
  [{ [ENDPOINT]: 'http://a', [TRACES]: 'http://b/own' }, 'http://b/own'],
  [{ [TRACES]: 'http://b' }, 'http://b/'],
])('[U9] %j is sent to %s', (environment, url) => {
  expect(telemetrySettings(environment)).toMatchObject({ url });
});

test('[U9] settings for traces override general ones', () => {
  const settings = telemetrySettings({
    [ENDPOINT]: 'http://ada:s%40d@a',
    OTEL_EXPORTER_OTLP_HEADERS: 'x=all',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=own%2C, y = 50% ,broken,=no',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2500',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=theirs,a=b',
  });
  expect(settings).toMatchObject({
    url: 'http://a/v1/traces',
    headers: { authorization: `Basic ${Buffer.from('ada:s@d').toString('base64')}`, x: 'own,', y: '50%' },
    timeoutMs: 2500,
    resource: { 'service.name': 'theirs', a: 'b' },
    isCompressed: false,
    hasContent: false,
    parent: null,
  });
});

test.each(['-1', '0', 'soon', '1e99'])('[U9] a timeout of %s is none', (text) => {
  expect(telemetrySettings({ [ENDPOINT]: 'http://a', OTEL_EXPORTER_OTLP_TIMEOUT: text })).toMatchObject({
    timeoutMs: 10_000,
  });
});

test.each([
  [{ [ENDPOINT]: 'a:4318' }, 'no http or https address'],
  [{ [ENDPOINT]: 'nonsense' }, 'no http or https address'],
  [{ [ENDPOINT]: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'HTTP only'],
])('[U9] %j cannot be followed, and that is said', (environment, why) => {
  expect(telemetrySettings(environment)).toContain(why);
});
