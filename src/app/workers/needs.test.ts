import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import type { Role } from '../../core/model/role.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/port.ts';
import { type ApiModel, type Config, EMPTY_CONFIG } from '../config/config.ts';
import { needsOf, offersOf, whyQueued, type OfferingWorker } from './needs.ts';

const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

const playedBy = (actor: string) => {
  const roles = Object.entries(definition.roles).map(([name, role]) => [name, { ...role, actor }] as const);
  return { ...definition, roles: Object.fromEntries(roles) };
};

const keyed = (variable: string | null): ApiModel => ({
  kind: 'api',
  config: {
    name: 'some',
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:1/v1',
    model: 'm',
  },
  apiKeyEnv: variable,
});

test('[U8] a run needs its labels, the clients that play its agents, and the models of the others', () => {
  const level = definition.roles['coder']?.level;
  expect(needsOf(definition, EMPTY_CONFIG, { labels: ['linux,gpu'] })).toEqual([
    'label gpu',
    'label linux',
    `model ${level}`,
  ]);
  expect(needsOf(playedBy('codex'), EMPTY_CONFIG)).toEqual(['client codex']);
  expect(needsOf(playedBy('scripted'), EMPTY_CONFIG)).toEqual([]);
  expect(() => needsOf(definition, EMPTY_CONFIG, { labels: ['a b'] })).toThrow('is not a label');
});

test('[U8] a run needs the labels that its workflow has, and those that it calls', () => {
  const labelled = (labels: readonly string[]) => ({ ...definition.workflow, labels });
  const called = { ...playedBy('scripted'), workflow: labelled(['gpu']), library: { other: labelled(['arm', 'gpu']) } };
  expect(needsOf(called, EMPTY_CONFIG, { labels: ['linux'] })).toEqual(['label arm', 'label gpu', 'label linux']);
});

/** Two servers: one for every role, one for those that may write. */
const SERVERS: Config['mcp'] = {
  docs: { url: 'http://127.0.0.1:1/mcp', mode: 'read' },
  tickets: { command: ['tickets'], env: ['TICKETS_KEY'], mode: 'write' },
};

test('[U8] a run needs the MCP servers that its roles name, and without a list all that are configured where it begins', () => {
  const scripted = playedBy('scripted');
  const serversFor = (change: Partial<Role>, config: Partial<Config> = {}) => {
    const roles = Object.entries(scripted.roles).map(([name, role]) => [name, { ...role, ...change }] as const);
    return needsOf({ ...scripted, roles: Object.fromEntries(roles) }, { ...EMPTY_CONFIG, ...config });
  };
  const both = ['server docs', 'server tickets'];
  const includedTools = ['read_file', 'mcp__docs__*', 'mcp__tickets__open'];
  expect(serversFor({ includedTools })).toEqual(both);
  expect(serversFor({})).toEqual([]);
  expect(serversFor({}, { mcp: SERVERS })).toEqual(both);
  expect(serversFor({ mode: 'read' }, { mcp: SERVERS })).toEqual(['server docs']);
  expect(serversFor({ mode: 'read', includedTools }, { mcp: SERVERS })).toEqual(['server docs']);
  expect(serversFor({ includedTools: ['read_file'] }, { mcp: SERVERS })).toEqual([]);
  expect(serversFor({ excludedTools: ['mcp__docs__*'] }, { mcp: SERVERS })).toEqual(['server tickets']);
  expect(serversFor({}, { mcp: SERVERS, excludedTools: ['mcp__tickets__*'] })).toEqual(['server docs']);
});

test('[U8] a run needs the labels of the tools that its agents may call', () => {
  const tool: Tool = {
    ...defineTool({
      name: 'plot',
      description: 'Plots.',
      parameters: { type: 'object' },
      repeat: 'safe',
      labels: ['gnuplot'],
      run: () => '',
    }),
    origin: 'project',
  };
  const scripted = playedBy('scripted');
  expect(needsOf(scripted, EMPTY_CONFIG, { tools: [tool] })).toEqual(['label gnuplot']);
  const roles = Object.entries(scripted.roles).map(([name, role]) => [name, { ...role, mode: 'read' }] as const);
  expect(needsOf({ ...scripted, roles: Object.fromEntries(roles) }, EMPTY_CONFIG, { tools: [tool] })).toEqual([]);
});

test('[U8] a worker offers the MCP servers whose variables are set', async () => {
  const config = { ...EMPTY_CONFIG, mcp: SERVERS };
  expect(await offersOf(config, {}, [])).toEqual(['server docs']);
  expect(await offersOf(config, { TICKETS_KEY: 'x' }, [])).toEqual(['server docs', 'server tickets']);
});

test('[U8] a worker offers the models whose keys it has, and the clients that are installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-offers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'codex');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const config = { ...EMPTY_CONFIG, models: { base: keyed('KEY_A'), slow: keyed('KEY_B'), free: keyed(null) } };
  const offers = await offersOf(config, { PATH: folder, HOME: folder, KEY_A: 'x' }, ['gpu']);
  expect(offers).toEqual(
    expect.arrayContaining(['client codex', 'label gpu', 'model base', 'model fast', 'model free', 'model smart']),
  );
  expect(offers).not.toContain('model slow');
  expect(offers).not.toContain('client claude-code');
  // Levels that only fall back to `base` have no model without its key.
  expect(await offersOf(config, { PATH: folder, HOME: folder }, [])).toEqual(['client codex', 'model free']);
});

test('[U8] what a queued run waits for is said of the live workers', () => {
  const worker = (offers: readonly string[], more: Partial<OfferingWorker> = {}): OfferingWorker => ({
    isAlive: true,
    isDraining: false,
    offers,
    ...more,
  });
  const why = (...workers: readonly OfferingWorker[]) => whyQueued(['client codex', 'label gpu'], workers);
  const both = ['client codex', 'label gpu'];
  const lacks = (text: string) => ({ kind: 'lacks', text });
  const none = lacks('no worker is running; start one with: troupe worker');
  expect(why()).toEqual(none);
  expect(why(worker(both, { isAlive: false }), worker(both, { isDraining: true }))).toEqual(none);
  expect(why(worker(['client codex']))).toEqual(lacks('no worker offers label gpu'));
  const split = [worker(['client codex']), worker(['label gpu'])];
  expect(why(...split)).toEqual(lacks('no worker offers all of client codex, label gpu'));
  expect(why(worker(both))).toEqual({ kind: 'free-soon', text: 'waits for a free worker' });
});
