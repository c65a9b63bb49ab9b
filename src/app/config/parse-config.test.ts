import { expect, test } from 'vitest';
import type { Problem } from '../../core/model/fault.ts';
import { valueOrFault } from '../../source/checked.ts';
import { type Config, storeAddress } from './config.ts';
import { parseConfig } from './parse-config.ts';

const place = { file: '.troupe/config.yaml', folder: '/project' };

function problemsOf(text: string): readonly Problem[] {
  const result = parseConfig(text, place);
  expect(result.ok).toBe(false);
  return result.ok ? [] : result.problems;
}

test('[U4] a model of each provider is read, with its price per million tokens', () => {
  const result = parseConfig(
    [
      'models:',
      '  base: { provider: openai-compatible, base_url: "http://127.0.0.1:1/v1", model: small, price: { input: 1, output: 2 } }',
      '  smart: { provider: anthropic, model: large, api_key_env: SOME_KEY }',
      '  fast: { provider: scripted, scenario: answers.yaml }',
    ].join('\n'),
    place,
  );
  expect(result.ok && result.value.models).toEqual({
    base: {
      kind: 'api',
      apiKeyEnv: null,
      config: {
        name: 'base',
        provider: 'openai-compatible',
        model: 'small',
        baseUrl: 'http://127.0.0.1:1/v1',
        price: { input: 1, output: 2 },
      },
    },
    smart: { kind: 'api', apiKeyEnv: 'SOME_KEY', config: { name: 'smart', provider: 'anthropic', model: 'large' } },
    fast: { kind: 'scripted', scenario: '/project/answers.yaml' },
  });
});

test('[L3] an unknown key is refused at its line, with the key that was meant', () => {
  const [problem] = problemsOf('models: {}\nlimts:\n  max_usd: 1\n');
  expect(problem).toMatchObject({ file: '.troupe/config.yaml', at: { line: 2, column: 1 } });
  expect(problem?.hint).toContain('limits');
});

test('[L3] every problem of the file is reported at once', () => {
  const problems = problemsOf(
    'models:\n  base:\n    provider: openai\n    modle: x\nlimits:\n  max_usd: much\nnotify: 3\n',
  );
  expect(problems.map((problem) => problem.path)).toEqual(
    expect.arrayContaining(['models.base.modle', 'models.base.model', 'limits.max_usd', 'notify']),
  );
});

test('[L3] a provider that does not exist is reported with the list of those that do', () => {
  const [problem] = problemsOf('models:\n  base: { provider: opnai, model: x }\n');
  expect(problem?.message).toContain('openai-compatible, openai, anthropic, scripted');
});

test('[U4] limits are read in seconds and kept in milliseconds', () => {
  const result = parseConfig('limits: { max_duration: 90, max_iterations: 7 }', place);
  expect(result.ok && result.value.limits).toEqual({ durationMs: 90_000, iterations: 7 });
});

test('[U4] a file with nothing but comments configures nothing', () => {
  const result = parseConfig('# models:\n#   base: {}\n\n', place);
  expect(result.ok && result.value.models).toEqual({});
});

test('[PH6] how often and how soon calls are tried again is read by class of failure', () => {
  const text = 'retry: { base_ms: 10, max_ms: 200, tries: { rate: 3, bad-reply: 1 }, tool_tries: 4 }';
  const result = parseConfig(text, place);
  const tries = { rate: 3, 'bad-reply': 1 };
  expect(result.ok && result.value.retry).toEqual({ baseMs: 10, maxMs: 200, tries, toolTries: 4 });
});

test.each([
  ['retry: { tries: { rat: 3 } }', 'retry.tries.rat', 'Did you mean "rate"?'],
  ['retry: { tries: { rate: 0 } }', 'retry.tries.rate', undefined],
  ['retry: { tool_tries: 0 }', 'retry.tool_tries', undefined],
  ['retry: { base_ms: -1 }', 'retry.base_ms', undefined],
  ['retry: { base_ms: 10, max_ms: 5 }', 'retry', undefined],
])('[L3] %s is refused at its place', (text, path, hint) => {
  const [problem] = problemsOf(`${text}\n`);
  expect(problem?.path).toBe(path);
  expect(problem?.hint).toBe(hint);
});

test('[L3] a key written into the file is an error that says where its name goes, and no known key is listed twice', () => {
  const [key] = problemsOf('models:\n  base: { provider: openai, model: m, api_key: secret }\n');
  expect(key).toMatchObject({ code: 'KEY_UNKNOWN', hint: expect.stringContaining('api_key_env') });
  const [other] = problemsOf('models:\n  base: { provider: openai, model: m, zzzzzz: 1 }\n');
  const listed = (other?.hint ?? '').replace(/^Known here: |\.$/g, '').split(', ');
  expect(listed).toContain('provider');
  expect(new Set(listed).size).toBe(listed.length);
});

test.each(['window: 4096', 'effort: high'])(
  '[L3] a scripted model with %s gets the providers that it belongs to',
  (more) => {
    const [problem] = problemsOf(`models:\n  base: { provider: scripted, scenario: a.yaml, ${more} }\n`);
    expect(problem).toMatchObject({
      code: 'KEY_UNKNOWN',
      hint: 'It belongs where "provider" is one of openai-compatible, openai, anthropic.',
    });
    const [near] = problemsOf('models:\n  base: { provider: scripted, scenario: a.yaml, prise: 4 }\n');
    expect(near?.hint).toBe('Did you mean "price"?');
  },
);

const model = (more: string): string => `models:\n  base: { provider: openai, model: m, ${more} }`;

test.each([
  // [text, path, line, a part of the message]
  ['resources:\n  web: { kind: port, from: 5000, to: 4000 }', 'resources.web', 2, 'from'],
  ['resources:\n  web: { kind: port, to: 4000 }', 'resources.web', 2, '20000 by default'],
  ['resources:\n  web: { kind: port, from: 0 }', 'resources.web.from', 2, 'from 1 to 65535'],
  ['resources:\n  web: { kind: port, to: 65536 }', 'resources.web.to', 2, 'from 1 to 65535'],
  ['resources:\n  web: { kind: port, from: 1.5 }', 'resources.web.from', 2, 'from 1 to 65535'],
  ['resources:\n  db: { kind: name, pattern: app, count: 2 }', 'resources.db.pattern', 2, '{n}'],
  ['resources:\n  db: { kind: name, pattern: "a{n}", count: 0 }', 'resources.db.count', 2, 'above 0'],
  ['resources:\n  db: { kind: name, pattern: "a{n}", count: 1000000 }', 'resources.db.count', 2, 'at most'],
  ['resources:\n  db: { kind: prot }', 'resources.db.kind', 2, 'port, name, folder, mutex'],
  ['web:\n  allow: ["https://example.org"]', 'web.allow[0]', 2, 'without http://'],
  ['web:\n  allow: ["example.org/docs"]', 'web.allow[0]', 2, 'without a path'],
  ['web:\n  allow: [ok.org, "example.org:0"]', 'web.allow[1]', 2, 'from 1 to 65535'],
  ['web:\n  allow: ["example.org:99999"]', 'web.allow[0]', 2, 'from 1 to 65535'],
  ['web:\n  allow: ["example.org:http"]', 'web.allow[0]', 2, 'number behind the colon'],
  ['web:\n  allow: ["*"]', 'web.allow[0]', 2, 'domain after the star'],
  ['web:\n  allow: ["*.org"]', 'web.allow[0]', 2, 'domain after the star'],
  ['web:\n  allow: ["docs.*.org"]', 'web.allow[0]', 2, 'only in front'],
  ['web:\n  allow: ["::1"]', 'web.allow[0]', 2, 'brackets'],
  ['web:\n  allow: ["me@example.org"]', 'web.allow[0]', 2, 'user name'],
  ['web:\n  allow: ["127.1"]', 'web.allow[0]', 2, 'must be a host'],
  ['web:\n  allow: ["two words"]', 'web.allow[0]', 2, 'blanks'],
  ['web:\n  search: { url: "https://s.example/?q=" }', 'web.search.url', 2, '{query}'],
  ['web:\n  search: { url: "s.example/?q={query}" }', 'web.search.url', 2, 'http://'],
  ['web:\n  search: { kind: json }', 'web.search', 2, 'a url or an mcp server'],
  [
    'web:\n  search: { url: "https://s.example/{query}", mcp: { url: "http://127.0.0.1:1/", tool: t } }',
    'web.search',
    2,
    'not both',
  ],
  ['mcp:\n  docs: {}', 'mcp.docs', 2, 'a command or a url'],
  ['mcp:\n  docs: { command: server }', 'mcp.docs.command', 2, 'must be a list'],
  ['mcp:\n  docs: { command: [] }', 'mcp.docs.command', 2, 'must name a program'],
  ['mcp:\n  docs: { command: [s], url: "http://127.0.0.1:1/" }', 'mcp.docs', 2, 'not both'],
  ['mcp:\n  docs: { url: "http://127.0.0.1:1/", env: [K] }', 'mcp.docs', 2, 'env beside url'],
  ['mcp:\n  docs: { command: [s], headers: { a: b } }', 'mcp.docs', 2, 'headers beside command'],
  ['mcp:\n  docs: { command: [s], api_key_env: K }', 'mcp.docs', 2, 'api_key_env beside command'],
  ['mcp:\n  docs: { command: [s], mode: all }', 'mcp.docs.mode', 2, 'read, commands, write'],
  ['mcp:\n  docs: { command: [s], tools: echo }', 'mcp.docs.tools', 2, 'must be a list of names'],
  ['mcp:\n  docs: { command: [s], timeout_seconds: 0 }', 'mcp.docs.timeout_seconds', 2, 'above 0'],
  ['mcp:\n  a__b: { command: [s] }', 'mcp.a__b', 2, 'a short name'],
  ['mcp: [s]', 'mcp', 1, 'a mapping of names'],
  ['web:\n  search: { mcp: { tool: t } }', 'web.search.mcp', 2, 'a command or a url'],
  ['web:\n  search: { mcp: { command: searcher, tool: t } }', 'web.search.mcp.command', 2, 'must be a list'],
  ['web:\n  search: { mcp: { command: [s], url: "http://127.0.0.1:1/", tool: t } }', 'web.search.mcp', 2, 'not both'],
  ['web:\n  search: { mcp: { command: [s] } }', 'web.search.mcp.tool', 2, 'missing'],
  [
    'web:\n  search: { mcp: { command: [s], tool: t, env: [NOT-A-NAME] } }',
    'web.search.mcp.env[0]',
    2,
    'environment variable',
  ],
  ['sandbox: bubblewarp', 'sandbox', 1, 'bubblewrap, landlock, none, best'],
  ['limits:\n  max_iterations: 0', 'limits.max_iterations', 2, 'above 0'],
  ['limits:\n  max_tool_rounds: 1.5', 'limits.max_tool_rounds', 2, 'above 0'],
  ['limits:\n  max_usd: -1', 'limits.max_usd', 2, 'zero or more'],
  ['limits:\n  max_tokens: -5', 'limits.max_tokens', 2, 'above 0'],
  ['limits:\n  max_duration: 0', 'limits.max_duration', 2, 'above 0'],
  ['limits:\n  max_duration: 9999999', 'limits.max_duration', 2, '23 days'],
  ['workspaces:\n  max_files: 0', 'workspaces.max_files', 2, 'above 0'],
  ['workspaces:\n  method: overlap', 'workspaces.method', 2, '"copy" or "overlay"'],
  ['workspaces:\n  ignored: all', 'workspaces.ignored', 2, '"skip", "copy"'],
  ['setup: "  "', 'setup', 1, 'empty'],
  ['notify: ""', 'notify', 1, 'empty'],
  ['workflows: [""]', 'workflows[0]', 1, 'empty'],
  ['workflows:\n  - nowhere', 'workflows[0]', 2, 'does not exist'],
  ['roles: no/such.json', 'roles', 1, 'does not exist'],
  [model('base_url: "ftp://x"'), 'models.base.base_url', 2, 'http://'],
  [model('base_url: "https://me:word@x.example"'), 'models.base.base_url', 2, 'password'],
  [model('base_url: "https://x.example/v1?a=b"'), 'models.base.base_url', 2, 'query'],
  [model('temperature: -1'), 'models.base.temperature', 2, 'zero or more'],
  [model('request_timeout: 0'), 'models.base.request_timeout', 2, 'above 0'],
  [model('effort: huge'), 'models.base.effort', 2, 'off, low, medium, high, max'],
  [model('caching: 2h'), 'models.base.caching', 2, 'on, off or 1h'],
  [
    'models:\n  a: { provider: openai-compatible, base_url: "http://x.example/v1", model: m, caching: off }',
    'models.a',
    2,
    'must not have caching',
  ],
  ['models:\n  a: { provider: scripted, scenario: s.yaml, effort: low }', 'models.a.effort', 2, 'effort'],
  ['actors:\n  claude-code: { effort: off }', 'actors.claude-code.effort', 2, 'low, medium, high, max'],
  ['actors:\n  acp: { a: { command: [x], effort: low } }', 'actors.acp.a.effort', 2, 'effort'],
  [model('window: 100'), 'models.base.window', 2, 'at least 2048'],
  [model('window: 4096, max_output_tokens: 4000'), 'models.base', 2, 'twice its max_output_tokens'],
  [model('max_output_tokens: 0.5'), 'models.base.max_output_tokens', 2, 'above 0'],
  [model('price: { input: -1, output: 1 }'), 'models.base.price.input', 2, 'zero or more'],
  [model('headers: { x: "a\\nb" }'), 'models.base.headers.x', 2, 'one line'],
  ['models:\n  base: { provider: openai-compatible, model: m }', 'models.base', 2, 'base_url'],
  ['models:\n  a=b: { provider: openai, model: m }', 'models["a=b"]', 2, '--model LEVEL=NAME'],
  ['resources:\n  Web-Port: { kind: port }', 'resources.Web-Port', 2, 'lower-case letters'],
  ['resources:\n  path: { kind: port }', 'resources.path', 2, 'variable that commands need'],
])('[L3] %j is refused with its place and what to write', (text, path, line, part) => {
  const [problem] = problemsOf(`${text}\n`);
  expect(problem?.path).toBe(path);
  expect(problem).toMatchObject({ file: '.troupe/config.yaml', at: { line }, message: expect.stringContaining(part) });
});

test('[U4] what the flags of the command line take is taken here', () => {
  const read = (text: string): Config | false => {
    const result = parseConfig(text, place);
    return result.ok && result.value;
  };
  expect(read('sandbox: best')).toMatchObject({ sandbox: 'best' });
  const allow = ['docs.example.org', '*.example.com', '127.0.0.1:8080', '[::1]:80', 'localhost:3000', 'Example.ORG'];
  expect(read(`web: { allow: ${JSON.stringify(allow)} }`)).toMatchObject({ webAllow: allow });
  expect(read('web: { search: { mcp: { command: [npx, searcher], tool: search, env: [SEARCH_KEY] } } }')).toMatchObject(
    {
      webSearch: { mcp: { command: ['npx', 'searcher'], tool: 'search', env: ['SEARCH_KEY'] } },
    },
  );
  expect(read('web: { search: { url: "https://s.example/?q={query}" } }')).toMatchObject({
    webSearch: { url: 'https://s.example/?q={query}', kind: 'json' },
  });
});

test('[L8] a key that was written into the file is not repeated in the message', () => {
  const [problem] = problemsOf(`${model('api_key_env: "sk-secret-of-mine"')}\n`);
  expect(problem?.path).toBe('models.base.api_key_env');
  expect(problem?.message).toContain('not the key itself');
  expect(JSON.stringify(problem)).not.toContain('secret-of-mine');
});

test('[U4] agents that are programs are read, with paths from the project and minutes as time', () => {
  const text = [
    'actors:',
    '  claude-code: { program: bin/claude, model: opus, idle_minutes: 2, wall_minutes: 0.5 }',
    '  codex: { program: codex-nightly, hosts: [mirror.example.org, "127.0.0.1:8080"] }',
    '  acp: { mine: { command: [./agent, --acp], env: [MY_KEY], price: { input: 1, output: 2 } } }',
  ].join('\n');
  const result = parseConfig(text, place);
  expect(result.ok && result.value.actors).toEqual({
    'claude-code': { program: '/project/bin/claude', model: 'opus', idleMs: 120_000, wallMs: 30_000 },
    codex: { program: 'codex-nightly', hosts: ['mirror.example.org', '127.0.0.1:8080'] },
    acp: { mine: { command: ['/project/agent', '--acp'], env: ['MY_KEY'], price: { input: 1, output: 2 } } },
  });
});

test.each([
  ['actors: { claude: {} }', 'actors.claude', 'claude-code'],
  ['actors: { codex: { idle_minutes: 0 } }', 'actors.codex.idle_minutes', 'must be'],
  ['actors: { codex: { wall_minutes: 99999 } }', 'actors.codex.wall_minutes', '23 days'],
  ['actors: { codex: { hosts: [https://a.example] } }', 'actors.codex.hosts', 'without http:// or https://'],
  ['actors: { acp: { mine: { command: [] } } }', 'actors.acp.mine.command', 'must name a program'],
  [
    'actors: { acp: { mine: { command: [a], env: [sk-123] } } }',
    'actors.acp.mine.env',
    'name of an environment variable',
  ],
  ['actors: { acp: { "a/b": { command: [a] } } }', 'actors.acp', 'must be letters'],
])('[L3] %s is refused at its line', (text, path, words) => {
  const [problem] = problemsOf(`limits: {}\n${text}\n`);
  expect(problem).toMatchObject({ at: { line: 2 } });
  expect(problem?.path).toContain(path);
  expect(`${problem?.message} ${problem?.hint ?? ''}`).toContain(words);
});

test('[L3] an agent whose program is not there is reported at its line, and keeps nothing else from working', () => {
  const result = parseConfig(
    'actors:\n  codex: { program: bin/codex }\n  acp: { it: { command: [/no/such] } }\n',
    place,
  );
  expect(result).toMatchObject({
    ok: true,
    warnings: [
      { code: 'PATH_MISSING', severity: 'warning', at: { line: 2 } },
      { code: 'PATH_MISSING', severity: 'warning', at: { line: 3 } },
    ],
  });
});

test('[A9] MCP servers are read by name, for roles that may write unless a mode is named, with paths of the project', () => {
  const result = parseConfig(
    [
      'mcp:',
      '  docs: { command: [node, ./tools/server.mjs, docs], env: [DOCS_KEY], tools: [search], timeout_seconds: 5 }',
      '  far-away: { url: "https://mcp.example/", api_key_env: FAR_KEY, headers: { x-team: red }, mode: read }',
    ].join('\n'),
    place,
  );
  expect(result.ok && result.value.mcp).toEqual({
    docs: {
      command: ['node', '/project/tools/server.mjs', 'docs'],
      env: ['DOCS_KEY'],
      tools: ['search'],
      mode: 'write',
      timeoutMs: 5000,
    },
    'far-away': {
      url: 'https://mcp.example/',
      apiKeyEnv: 'FAR_KEY',
      headers: { 'x-team': 'red' },
      mode: 'read',
    },
  });
});

const configOf = (text: string): Config => valueOrFault(parseConfig(text, place), 'INTERNAL');

test('[U8] files and conversations travel by way of the store, or of the journal that machines share', () => {
  const shared = 'postgres://troupe@db.example/troupe';
  expect(storeAddress(configOf('store: /mnt/troupe'), shared)).toBe('/mnt/troupe');
  expect(storeAddress(configOf('# nothing'), shared)).toBe(shared);
  // A journal of this machine alone is not shared.
  expect(storeAddress(configOf('store: /mnt/troupe'), null)).toBeNull();
});

test.each(['shared/folder', 'mysql://troupe:hunter2@db.example/x', 'postgres://troupe:hunter2@db.example'])(
  '[L3] a store that is neither a folder nor a database is refused, and no password repeated: %s',
  (address) => {
    const parsed = parseConfig(`store: "${address}"`, place);
    const text = JSON.stringify(parsed);
    expect(text).toContain('must be the path of a folder that all machines mount');
    expect(text).not.toContain('hunter2');
  },
);
