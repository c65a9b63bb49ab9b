import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepSandbox, knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';

const WORKFLOW = `import { defineWorkflow } from 'troupe';
export const storm = defineWorkflow({
  name: 'storm', agents: { worker: {} },
  states: {
    start: { work: { kind: 'ask', question: "'Go on?'", choices: ['yes', 'no'] }, transitions: ['work'] },
    work: { work: { kind: 'turn', agent: 'worker', input: "'Write it'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

/** The files that a run makes, one in a call. */
export const MADE: readonly string[] = Array.from({ length: 8 }, (_, index) => `made/${index}.txt`);

export const SCENARIO = {
  rules: [
    {
      when: { state: 'work' },
      steps: [
        ...MADE.map((path) => ({ tools: [{ name: 'write_file', arguments: { path, content: 'made\n' } }] })),
        { say: 'Written.' },
      ],
    },
  ],
};

/** Whether the result goes into the project's files, or becomes a branch of its repository. */
export type StormTarget = 'apply' | 'branch';

/** A separate project and home. */
export class StormProject {
  readonly target: StormTarget;
  readonly project: string;
  readonly home: string;
  readonly #base = mkdtempSync(join(tmpdir(), 'troupe-storm-'));

  constructor(target: StormTarget, models: string) {
    this.target = target;
    this.project = join(this.#base, 'project');
    this.home = join(this.#base, 'home');
    this.#write(this.project, {
      'storm.ts': WORKFLOW,
      'kept.txt': 'kept\n',
      '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You write files.' } }),
    });
    this.#write(this.home, { '.config/troupe/config.yaml': models });
    if (target === 'branch') this.#commitAll();
  }

  static async make(target: StormTarget, modelUrl: string): Promise<StormProject> {
    const models = `models:\n  base: { provider: openai-compatible, base_url: "${modelUrl}/v1", model: storm }\n`;
    const made = new StormProject(target, models);
    keepSandbox(made.home, await knownSandbox(''));
    return made;
  }

  /** The result as the user finds it; null for a file that is missing. */
  result(run: string): readonly (string | null)[] {
    return MADE.map((path) => (this.target === 'branch' ? this.#onBranch(run, path) : this.read(path)));
  }

  /** Commits of a branch that are the run's. */
  commits(run: string): number {
    try {
      return Number(this.#git('rev-list', '--count', `trunk..troupe/${run}`));
    } catch {
      return 0;
    }
  }

  read(path: string): string | null {
    const file = join(this.project, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** As a user does who works on with what was delivered. */
  edit(path: string, content: string): void {
    this.#write(this.project, { [path]: content });
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #onBranch(run: string, path: string): string | null {
    try {
      return this.#git('show', `troupe/${run}:${path}`);
    } catch {
      return null;
    }
  }

  #commitAll(): void {
    this.#git('init', '-q', '-b', 'trunk');
    this.#git('add', '.');
    this.#git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'first');
  }

  #git(...words: readonly string[]): string {
    return execFileSync('git', words, { cwd: this.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  #write(folder: string, files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }
}
