import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mergeRoles } from '../roles/placed-role.ts';
import { findAssets } from '../../formats/load-assets.ts';
import { problemsOf, valueOrFault } from '../checked.ts';
import { AGENT_MODES, type AgentMode } from './agent-mode.ts';
import { type AgentType, roleForMode, rolesOfTypes } from './agent-type.ts';
import { loadAgentTypes } from './load-agent-types.ts';
import { promptLineText, type PromptLine } from './prompt-library.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-types-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): string => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const load = () => loadAgentTypes([findAssets(), folder]);

async function typeOf(name: string): Promise<AgentType> {
  const type = valueOrFault(await load(), 'INTERNAL')[name];
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

/** The reported problems, with places relative to the test's folder. */
async function problemsIn(): Promise<readonly string[]> {
  const problems = problemsOf(await load());
  return problems.map(
    ({ code, file, at, hint }) => `${code} ${file?.slice(folder.length + 1)}:${at?.line ?? '-'} ${hint ?? ''}`,
  );
}

const filesOf = (lines: readonly PromptLine[]): readonly string[] => [
  ...new Set(lines.flatMap(({ origin }) => (origin === null ? [] : [origin.file]))),
];

/** Files of a prompt, relative to the folder that holds it. */
const shortFiles = (lines: readonly PromptLine[]): readonly string[] =>
  filesOf(lines).map((file) =>
    file.replace(join(findAssets(), 'prompts/'), '').replace(join(folder, 'prompts/'), 'own:'),
  );

/** PH3, the founding document's table. */
const TABLE = [
  ['planning', 'planning', 'PLANNING', 'read'],
  ['execution', 'execution', 'EXECUTION', 'write'],
  ['verification', 'verification', 'VERIFICATION', 'commands'],
  ['fix', 'execution', 'FIX', 'write'],
  ['research', 'planning', 'RESEARCH', 'read'],
  ['orchestrator', 'orchestrator', 'ORCHESTRATION', 'read'],
] as const;

const LAYERS = ['identity', 'operating_modes', 'tool_usage', 'communication'];

test.for(TABLE)('[PH3] the type %s has the preset %s and the mode %s (%s)', async ([name, preset, mode, access]) => {
  const type = await typeOf(name);
  const layers = name === 'orchestrator' ? [...LAYERS, 'workflows'] : LAYERS;
  expect(type).toMatchObject({ name, preset, mode, layers });
  const role = mergeRoles(valueOrFault(rolesOfTypes({ [name]: type }, {}), 'INTERNAL'))[name];
  expect(role).toMatchObject({ name, mode: access, systemMessage: promptLineText(type.promptIn(mode)) });
  expect(type.description.length).toBeGreaterThan(20);
});

test('[PH3] there are these six types and no others', async () => {
  expect(Object.keys(valueOrFault(await load(), 'INTERNAL')).toSorted()).toEqual(
    TABLE.map(([name]) => name).toSorted(),
  );
});

test('[PH3] a prompt is made layer by layer: for everybody, for the type or else its preset, for the mode', async () => {
  expect(shortFiles((await typeOf('fix')).promptIn('FIX'))).toEqual([
    'identity.md',
    'identity/fix.md',
    'operating_modes.md',
    'operating_modes/FIX.md',
    'tool_usage.md',
    'tool_usage/FIX.md',
    'communication.md',
    'communication/fix.md',
  ]);
  write('agent-types/migration.yaml', 'preset: execution\nmode: EXECUTION\n');
  const own = shortFiles((await typeOf('migration')).promptIn('EXECUTION'));
  expect(own).toContain('identity/execution.md');
  expect(own).toContain('operating_modes/EXECUTION.md');
  expect(shortFiles((await typeOf('orchestrator')).promptIn('ORCHESTRATION')).at(-1)).toBe('workflows.md');
});

test('[PH3] every line of every prompt is in its file at its line', async () => {
  write('prompts/communication.md', '\uFEFF\r\n\r\nSay it.\r\n\r\nShortly.\r\n');
  const types = Object.values(valueOrFault(await load(), 'INTERNAL'));
  for (const type of types) {
    for (const mode of AGENT_MODES) {
      const lines = type.promptIn(mode);
      expect(lines.length).toBeGreaterThan(20);
      for (const { text, origin } of lines) {
        const there = origin === null ? '' : readFileSync(origin.file, 'utf8').split(/\r?\n/)[origin.line - 1];
        expect(text).toBe(there);
      }
    }
  }
});

test('[PH3] what every agent must know is in its prompt', async () => {
  const prompt = async (name: string, mode: AgentMode) => promptLineText((await typeOf(name)).promptIn(mode));
  for (const [name, , mode] of TABLE) {
    const text = await prompt(name, mode);
    for (const word of ['Your order names what you owe', 'The engine checks', `Mode: ${mode}`])
      expect(text).toContain(word);
  }
  for (const word of [
    'plan.md',
    'task.json',
    '"id"',
    '"description"',
    '"files"',
    '"risk"',
    '`low`, `medium` or `high`',
  ]) {
    expect(await prompt('planning', 'PLANNING')).toContain(word);
  }
  for (const [name, mode] of [
    ['verification', 'VERIFICATION'],
    ['execution', 'EXECUTION'],
    ['fix', 'FIX'],
  ] as const) {
    for (const word of ['tests_passed', 'tests_failed', 'coverage', 'failures', 'issues']) {
      expect(await prompt(name, mode)).toContain(word);
    }
  }
});

test('[PH3] a file of the project replaces a whole layer, one in its folder a part, and the rest stays', async () => {
  write('prompts/identity/fix.md', 'You repair our ships.\n');
  expect(shortFiles((await typeOf('fix')).promptIn('FIX')).slice(0, 3)).toEqual([
    'identity.md',
    'own:identity/fix.md',
    'operating_modes.md',
  ]);
  expect(shortFiles((await typeOf('execution')).promptIn('EXECUTION'))).toContain('identity/execution.md');
  write('prompts/identity.md', 'We are shipbuilders.\n');
  expect(shortFiles((await typeOf('fix')).promptIn('FIX')).slice(0, 3)).toEqual([
    'own:identity.md',
    'own:identity/fix.md',
    'operating_modes.md',
  ]);
  expect(shortFiles((await typeOf('execution')).promptIn('EXECUTION')).slice(0, 2)).toEqual([
    'own:identity.md',
    'operating_modes.md',
  ]);
  write('prompts/identity.md', '\n');
  expect(shortFiles((await typeOf('execution')).promptIn('EXECUTION'))[0]).toBe('operating_modes.md');
});

test('[PH3] a mode has prompts of the project too, and presets and layers can be added', async () => {
  write('prompts/operating_modes/PLANNING.md', 'Plan in verse.');
  write('prompts/house.md', 'House rules.');
  write('prompts/presets.yaml', 'terse: [identity, house]\nplanning: [house, identity, operating_modes]\n');
  write('agent-types/poet.json', '{"preset": "terse", "mode": "RESEARCH", "level": "fast"}');
  expect(shortFiles((await typeOf('poet')).promptIn('RESEARCH'))).toEqual(['identity.md', 'own:house.md']);
  const planning = (await typeOf('planning')).promptIn('PLANNING');
  expect(shortFiles(planning)).toEqual([
    'own:house.md',
    'identity.md',
    'identity/planning.md',
    'operating_modes.md',
    'own:operating_modes/PLANNING.md',
  ]);
  expect(shortFiles((await typeOf('research')).promptIn('RESEARCH'))[0]).toBe('own:house.md');
});

test('[PH3] a file of the project changes a shipped type key by key', async () => {
  write('agent-types/planning.yaml', 'level: fast\nactor: claude-code\nexcludedTools: [web_fetch]\n');
  const type = await typeOf('planning');
  expect(type).toMatchObject({ preset: 'planning', mode: 'PLANNING', layers: LAYERS });
  const role = mergeRoles(valueOrFault(rolesOfTypes({ planning: type }, {}), 'INTERNAL'))['planning'];
  expect(role).toMatchObject({ level: 'fast', actor: 'claude-code', excludedTools: ['web_fetch'], mode: 'read' });
  write(
    'agent-types/planning.yaml',
    'layers: [identity]\ntools: [read_file]\nmoreTools: [todo_write, my_tool]\ntasks: []\n',
  );
  const narrow = await typeOf('planning');
  expect(roleForMode(narrow, 'PLANNING')).toMatchObject({
    includedTools: ['read_file', 'todo_write', 'my_tool'],
    tasks: [],
  });
  expect(shortFiles(narrow.promptIn('PLANNING'))).toEqual(['identity.md', 'identity/planning.md']);
});

test('[A9] a type names the tools of MCP servers in its lists, and where is known', async () => {
  write('agent-types/planning.yaml', 'excludedTools: [web_fetch]\nmoreTools:\n  - todo_write\n  - mcp__docs__*\n');
  const role = mergeRoles(valueOrFault(rolesOfTypes({ planning: await typeOf('planning') }, {}), 'INTERNAL'))[
    'planning'
  ];
  expect(role?.includedTools).toContain('mcp__docs__*');
  expect(role?.places?.['tools.mcp__docs__*']).toMatchObject({ at: { line: 4 } });
});

test('[PH3] in a narrower mode a type keeps those of its tools that the mode allows', async () => {
  write(
    'agent-types/builder.yaml',
    'preset: execution\nmode: EXECUTION\ntools: [read_file, edit_file, execute_terminal]\n',
  );
  const type = await typeOf('builder');
  expect(roleForMode(type, 'EXECUTION').includedTools).toEqual(['read_file', 'edit_file', 'execute_terminal']);
  expect(roleForMode(type, 'VERIFICATION').includedTools).toEqual(['read_file', 'execute_terminal']);
  expect(roleForMode(type, 'PLANNING').includedTools).toEqual(['read_file']);
});

test.for([
  [
    'an unknown key',
    'mode: FIX\npreset: fix\npresett: x',
    [
      'PRESET_UNKNOWN x.yaml:2 Known here: planning, execution, verification, orchestrator.',
      'KEY_UNKNOWN x.yaml:3 Did you mean "preset"?',
    ],
  ],
  ['an unknown mode', 'preset: execution\nmode: PLANING', ['MODE_UNKNOWN x.yaml:2 Did you mean "PLANNING"?']],
  ['a mode in small letters', 'preset: execution\nmode: fix', ['MODE_UNKNOWN x.yaml:2 Did you mean "FIX"?']],
  ['a mode that is no name', 'preset: execution\nmode: [FIX]', ['VALUE_INVALID x.yaml:2 ']],
  ['an unknown preset', 'mode: FIX\npreset: exection', ['PRESET_UNKNOWN x.yaml:2 Did you mean "execution"?']],
  [
    'an unknown layer',
    'mode: FIX\nlayers:\n  - identity\n  - tool_usge',
    ['LAYER_UNKNOWN x.yaml:4 Did you mean "tool_usage"?'],
  ],
  ['a missing layer', 'mode: FIX\nlayers: [house]', ['LAYER_UNKNOWN x.yaml:2 Write it: .troupe/prompts/house.md']],
  [
    'no mode',
    'preset: execution',
    [
      'KEY_MISSING x.yaml:1 A new type says what it is at: PLANNING, EXECUTION, VERIFICATION, FIX, RESEARCH, ORCHESTRATION.',
    ],
  ],
  [
    'no preset and no layers',
    'mode: FIX',
    ['KEY_MISSING x.yaml:1 A preset such as execution names the layers of the prompt; "layers" does it one by one.'],
  ],
  [
    'a tool beyond its mode',
    'preset: planning\nmode: PLANNING\nmoreTools: [write_file]',
    [
      'TOOL_BEYOND_MODE x.yaml:3 Take it away, or choose another mode: EXECUTION and FIX may write, VERIFICATION may run commands.',
    ],
  ],
  [
    'a command beyond its mode',
    'preset: planning\nmode: RESEARCH\ntools:\n  - execute_terminal',
    [
      'TOOL_BEYOND_MODE x.yaml:4 Take it away, or choose another mode: EXECUTION and FIX may write, VERIFICATION may run commands.',
    ],
  ],
  [
    'writing where only commands may be run',
    'preset: planning\nmode: VERIFICATION\ntools: [edit_file]',
    [
      'TOOL_BEYOND_MODE x.yaml:3 Take it away, or choose another mode: EXECUTION and FIX may write, VERIFICATION may run commands.',
    ],
  ],
  [
    'a tool that does not exist',
    'preset: planning\nmode: PLANNING\nmoreTools: [todo_wite]',
    ['TOOL_UNKNOWN x.yaml:3 Did you mean "todo_write"?'],
  ],
  [
    'text in the wrong place',
    'preset: planning\nmode: PLANNING\nsystemMessage: Hi',
    [
      'KEY_UNKNOWN x.yaml:3 Known here: $schema, description, preset, mode, layers, tools, moreTools, excludedTools, level, actor, network, tasks, ….',
    ],
  ],
  ['a wrong setting of the role', 'preset: planning\nmode: PLANNING\nsignals: [done]', ['VALUE_INVALID x.yaml:3 ']],
  ['a list', '- planning', ['VALUE_INVALID x.yaml:1 ']],
  ['a number for a name', 'preset: 3\nmode: FIX', ['VALUE_INVALID x.yaml:1 ']],
  ['no YAML', 'mode: [FIX', ['SOURCE_SYNTAX x.yaml:1 ']],
  ['nothing', '', ['SOURCE_EMPTY x.yaml:1 ']],
] as const)('[L3] reported with its file and line: %s', async ([, text, expected]) => {
  write('agent-types/x.yaml', text);
  expect(await problemsIn()).toEqual(expected.map((line) => line.replace('x.yaml', 'agent-types/x.yaml')));
});

test.for([
  ['a layer misspelt', 'identiy.md', 'x', ['LAYER_UNUSED prompts/identiy.md:1 Did you mean "identity"?']],
  [
    'an unused layer',
    'zoo.md',
    'x',
    ['LAYER_UNUSED prompts/zoo.md:1 Name it under "layers" of a type, or in presets.yaml.'],
  ],
  [
    'a part misspelt',
    'identity/plannin.md',
    'x',
    ['PROMPT_PART_UNKNOWN prompts/identity/plannin.md:1 Did you mean "planning"?'],
  ],
  [
    'a preset of a layer that is not there',
    'presets.yaml',
    'mine:\n  - identity\n  - comunication',
    ['LAYER_UNKNOWN prompts/presets.yaml:3 Did you mean "communication"?'],
  ],
  [
    'a preset that is no list',
    'presets.yaml',
    'a: [identity]\nmine: identity',
    ['VALUE_INVALID prompts/presets.yaml:2 '],
  ],
  [
    'a preset with the name of a mode',
    'presets.yaml',
    'FIX: [identity]',
    ['NAME_INVALID prompts/presets.yaml:1 Use small letters, digits, dashes and underscores.'],
  ],
  ['presets that are no YAML', 'presets.yaml', 'a: [', ['SOURCE_SYNTAX prompts/presets.yaml:1 ']],
  [
    'a mode misspelt',
    'identity/PLANING.md',
    'x',
    ['PROMPT_PART_UNKNOWN prompts/identity/PLANING.md:1 Did you mean "PLANNING"?'],
  ],
  ['a file that is no text', 'identity.md', 'a\n\u0000', ['SOURCE_NOT_TEXT prompts/identity.md:2 ']],
] as const)('[L3] reported for prompts: %s', async ([, path, text, expected]) => {
  write(`prompts/${path}`, text);
  expect(await problemsIn()).toEqual(expected);
});

test('[L3] invalid files: Markdown, duplicates, a bad name, bytes that are no text, a broken link', async () => {
  write('agent-types/README.md', 'About these types.');
  write('prompts/README.md', 'About these prompts.');
  write('prompts/identity/README.md', 'About these parts.');
  expect(await problemsIn()).toEqual([]);
  write('agent-types/poet.md', 'You write verse.');
  write('agent-types/x.yaml', 'preset: planning\nmode: PLANNING');
  write('agent-types/x.yml', 'preset: planning\nmode: PLANNING');
  write('agent-types/FIX.yaml', 'preset: planning\nmode: PLANNING');
  writeFileSync(write('prompts/workflows.md', ''), Buffer.from([0xff, 0xfe, 0x41]));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'prompts', 'tool_usage.md'));
  expect((await problemsIn()).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'AGENT_TYPE_FORMAT agent-types/poet.md:-',
    'AGENT_TYPE_DUPLICATE agent-types/x.yml:-',
    'SOURCE_UNREADABLE prompts/tool_usage.md:-',
    'SOURCE_NOT_TEXT prompts/workflows.md:-',
    'NAME_INVALID agent-types/FIX.yaml:1',
  ]);
});

test('[PH3] a type cannot hide a role that comes with Troupe', async () => {
  write('agent-types/reviewer.yaml', 'preset: verification\nmode: VERIFICATION');
  const types = valueOrFault(await load(), 'INTERNAL');
  const result = rolesOfTypes(types, { reviewer: { systemMessage: 'Review.' } });
  expect(result.ok ? [] : result.problems).toMatchObject([
    { code: 'ROLE_DUPLICATE', file: join(folder, 'agent-types/reviewer.yaml'), at: { line: 1 } },
  ]);
  expect(result.ok ? {} : result.draft).not.toHaveProperty('reviewer');
});
