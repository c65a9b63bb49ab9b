import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { isFault } from '../../src/core/model/fault.ts';
import { openTroupe, type Troupe, type TroupeOptions } from '../../src/index.ts';
import { keepSandbox, knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';

const FOUND = await knownSandbox('');

/** A project in git, a home, and a scripted model that answers over HTTP. */
export interface LibraryProject {
  readonly folder: string;
  readonly home: string;
  readonly model: ScriptedServer;
  /** What a program passes to `openTroupe`. */
  readonly options: TroupeOptions;
  /** Closed at the end of the test. */
  readonly open: (more?: TroupeOptions) => Promise<Troupe>;
}

export interface ProjectParts {
  readonly rules?: readonly unknown[];
  readonly files?: Readonly<Record<string, string>>;
}

export async function libraryProject({ rules = [], files = {} }: ProjectParts = {}): Promise<LibraryProject> {
  const parent = mkdtempSync(join(tmpdir(), 'troupe-library-'));
  const [folder, home] = [join(parent, 'project'), join(parent, 'home')];
  const model = await scriptedModel(rules);
  const opened: Troupe[] = [];
  onTestFinished(async () => {
    for (const troupe of opened) await troupe.close();
    await model.close();
    rmSync(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  for (const [path, text] of Object.entries({ '.troupe/config.yaml': '', 'README.md': '# Sample\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  inGit(folder);
  keepSandbox(home, FOUND);
  const options: TroupeOptions = {
    project: folder,
    home,
    by: 'ada',
    environment: { PATH: process.env['PATH'] ?? '', HOME: parent },
    models: { base: { provider: 'openai-compatible', baseUrl: `${model.url}/v1`, model: 'scripted' } },
  };
  const open = async (more: TroupeOptions = {}): Promise<Troupe> => {
    const troupe = await openTroupe({ ...options, ...more });
    opened.push(troupe);
    return troupe;
  };
  return { folder, home, model, options, open };
}

async function scriptedModel(rules: readonly unknown[]): Promise<ScriptedServer> {
  const parsed = parseScenario({ rules });
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  return await startScriptedServer({ scenario: parsed.scenario });
}

function inGit(folder: string): void {
  const git = (...words: readonly string[]): void => void execFileSync('git', words, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'add', '-A');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'Begin');
}

/** The code with which something is refused; `done` where it is not. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
    return 'done';
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}
