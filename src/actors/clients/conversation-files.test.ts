import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { booksOf } from './client-home.ts';
import { canTravel, type ClientConversation, readConversation, writeConversation } from './conversation-files.ts';

const SESSION = '01a1ebe5-4f1b-76e2-aa3c-65e585f33140';
const OTHER = '99999999-4f1b-76e2-aa3c-65e585f33140';

function home(files: Readonly<Record<string, string>> = {}): string {
  const base = mkdtempSync(join(tmpdir(), 'conversation-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'home');
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const claude = (at: string, folder = '/srv/work'): ClientConversation => ({
  kind: 'claude-code',
  home: at,
  session: SESSION,
  folder,
});
const codex = (at: string): ClientConversation => ({ ...claude(at), kind: 'codex' });

test('[U8] of a home of Claude Code only the files of one conversation are read', async () => {
  const at = home({
    [`.claude/projects/-srv-work/${SESSION}.jsonl`]: 'said',
    [`.claude/projects/-srv-work/${SESSION}/subagents/agent-1.jsonl`]: 'said by a sub-agent',
    [`.claude/projects/-srv-work/${SESSION}/plugin.node`]: 'a program',
    [`.claude/projects/-srv-work/${OTHER}.jsonl`]: 'another one',
    '.claude/.credentials.json': 'a login',
    '.claude/settings.json': 'settings',
    '.claude/.claude.json': 'a key',
  });
  expect(await readConversation(claude(at))).toEqual({
    files: [
      { path: `${SESSION}/subagents/agent-1.jsonl`, text: 'said by a sub-agent' },
      { path: `${SESSION}.jsonl`, text: 'said' },
    ],
    book: null,
  });
});

test('[U8] of a home of Codex only the rollout is read, and what the engine noted of it', async () => {
  const path = `2026/11/17/rollout-2026-11-17T23-43-56-${SESSION}.jsonl`;
  const at = home({
    [`.codex/sessions/${path}`]: 'said',
    [`.codex/sessions/2026/11/17/rollout-2026-11-17T23-43-57-${OTHER}.jsonl`]: 'another one',
    '.codex/auth.json': 'a login',
    '.codex/state_5.sqlite': 'an index',
  });
  mkdirSync(booksOf(at));
  writeFileSync(join(booksOf(at), `${SESSION}.json`), '{"inputTokens":1}');
  expect(await readConversation(codex(at))).toEqual({ files: [{ path, text: 'said' }], book: '{"inputTokens":1}' });
});

test('[U8] it is written to where the client looks for it, in place of what was there', async () => {
  const at = home({
    [`.claude/projects/-old-work/${SESSION}.jsonl`]: 'old',
    [`.claude/projects/-srv-my-work/${OTHER}.jsonl`]: 'another one',
  });
  const found = { files: [{ path: `${SESSION}.jsonl`, text: 'new' }], book: '{}' };
  await writeConversation(claude(at, '/srv/my_work'), found);
  expect(readdirSync(join(at, '.claude/projects/-old-work'))).toEqual([]);
  expect(readFileSync(join(at, '.claude/projects/-srv-my-work', `${SESSION}.jsonl`), 'utf8')).toBe('new');
  expect(readFileSync(join(at, '.claude/projects/-srv-my-work', `${OTHER}.jsonl`), 'utf8')).toBe('another one');
  expect(await readConversation(claude(at, '/srv/my_work'))).toEqual(found);
});

test('[U8] Codex rebuilds its indexes for a conversation that was put into its home', async () => {
  const at = home({ '.codex/state_5.sqlite': 'old', '.codex/state_5.sqlite-wal': 'old', '.codex/config.toml': 'kept' });
  await writeConversation(codex(at), {
    files: [{ path: `2026/01/02/rollout-x-${SESSION}.jsonl`, text: 'said' }],
    book: null,
  });
  expect(readdirSync(join(at, '.codex')).sort()).toEqual(['config.toml', 'sessions']);
});

test('[S1] links that an agent planted lead nowhere, neither on reading nor on writing', async () => {
  const outside = home({ 'secret.jsonl': 'of somebody else', 'folder/kept.txt': 'kept' });
  const at = home({ '.claude/projects/-srv-work/x.txt': '' });
  symlinkSync(join(outside, 'secret.jsonl'), join(at, `.claude/projects/-srv-work/${SESSION}.jsonl`));
  symlinkSync(join(outside, 'folder'), join(at, `.claude/projects/-srv-work/${SESSION}`));
  expect(await readConversation(claude(at))).toBeNull();
  await writeConversation(claude(at), { files: [{ path: `${SESSION}/a.txt`, text: 'new' }], book: null });
  expect(readdirSync(join(outside, 'folder'))).toEqual(['kept.txt']);
  expect(readFileSync(join(at, `.claude/projects/-srv-work/${SESSION}/a.txt`), 'utf8')).toBe('new');
});

test('[S1] paths that lead out of the folder are not written', async () => {
  const at = home();
  const paths = ['../../settings.json', '/etc/x.jsonl', `${SESSION}/../../../y.jsonl`, '.hidden/z.jsonl', ''];
  await writeConversation(claude(at), { files: paths.map((path) => ({ path, text: 'x' })), book: null });
  expect(readdirSync(at, { recursive: true })).toEqual(['.claude', '.claude/projects']);
  const odd = { ...claude(at), session: '../../x' };
  expect(await readConversation(odd)).toBeNull();
});

test('[U8] a conversation of 64 MB and more does not travel', async () => {
  const at = home({ [`.claude/projects/-srv-work/${SESSION}.jsonl`]: '' });
  truncateSync(join(at, `.claude/projects/-srv-work/${SESSION}.jsonl`), 64 * 1024 * 1024 + 1);
  expect(await readConversation(claude(at))).toBeNull();
});

test('[U8] clients whose files are not known keep their conversations to themselves', async () => {
  expect(['claude-code', 'codex', 'acp:other', 'constructor'].map(canTravel)).toEqual([true, true, false, false]);
  expect(await readConversation({ ...claude(home()), kind: 'acp:other' })).toBeNull();
});
