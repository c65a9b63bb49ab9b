import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { flag, type Invocation, words } from '../invocation.ts';
import { pathInProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { checkedText } from '../terminal/checked-text.ts';
import type { CheckedFile } from '../../app/library/check-file.ts';
import {
  checkWatched,
  type OpenDefinition,
  openDefinitions,
  type OpenedProject,
  openWatched,
} from '../../app/library/watching/check-watched.ts';
import { definitionChangeLines } from '../../app/library/definition-change.ts';
import { changeSentence } from '../../protocol/definition-view.ts';
import { type FolderWatch, watchedFiles, watchFolders } from '../../app/library/watching/watched-files.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { counted } from '../../protocol/amounts.ts';
import { plainText } from '../../protocol/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `troupe watch-files [PATH…]`: checks the project's files whenever they change, until it is interrupted. */
export async function watchFilesCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const named = words(invocation, 0).map((path) => resolve(terminal.folder, path));
  const missing = named.find((path) => !existsSync(path));
  if (missing !== undefined) {
    throw new Fault('FILE_MISSING', `There is no ${pathInProject(missing, terminal.folder)}.`, {
      hint: 'Name files or folders that are there, or none for all of the project.',
    });
  }
  const interrupt = onInterrupt();
  const watch = watchFolders();
  const rounds = new Rounds({ terminal, named, isJson: flag(invocation, 'json'), watch });
  try {
    await rounds.begin();
    for (;;) {
      const heard = await Promise.race([watch.next(), interrupt.asked]);
      if (heard === 'interrupted') return EXIT.interrupted;
      if ((await Promise.race([rounds.look(), interrupt.asked])) === 'interrupted') return EXIT.interrupted;
    }
  } finally {
    watch.close();
    interrupt.stop();
  }
}

interface RoundsOptions {
  readonly terminal: Terminal;
  /** Only these are reported; none: all. */
  readonly named: readonly string[];
  readonly isJson: boolean;
  readonly watch: FolderWatch;
}

interface Judged {
  readonly results: readonly CheckedFile[];
  readonly runs: readonly OpenDefinition[];
}

const NOTHING: Judged = { results: [], runs: [] };

/** Continuous writes must not delay the report for ever. */
const MOST_LOOKS = 5;

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, hash]) => other.get(path) === hash);

/** What was found at the last look, so that only what is new is reported. */
class Rounds {
  readonly #options: RoundsOptions;
  #files: ReadonlyMap<string, string> = new Map();
  readonly #verdicts = new Map<string, string>();
  readonly #runs = new Map<string, string>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** What is wrong at the beginning is reported too; runs are compared from here on. */
  async begin(): Promise<void> {
    const { results, runs } = await this.#judgeChanged(null);
    for (const result of results) this.#verdicts.set(result.file, verdictOf(result));
    for (const { info, now } of runs) this.#runs.set(info.run, signatureOf(now));
    const bad = results.filter(({ ok }) => !ok);
    for (const result of bad) this.#tellFile(result);
    const files = [...this.#files.keys()].filter((path) => this.#isNamed(path)).map((path) => this.#shown(path));
    const wrong = bad.length === 0 ? 'all of them good' : `${bad.length} not valid`;
    this.#write(
      { kind: 'files.watched', files, bad: bad.length },
      `Watching ${counted(files.length, 'file')}, ${wrong}. Ctrl-C ends it.`,
    );
  }

  async look(): Promise<void> {
    const before = this.#files;
    const { results, runs } = await this.#judgeChanged(before);
    const changed = [...this.#files].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
    const removed = [...before.keys()].filter((path) => !this.#files.has(path));
    const shown = new Set(changed.map((path) => this.#shown(path)));
    for (const path of removed.filter((one) => this.#isNamed(one))) this.#tellRemoved(this.#shown(path));
    // A file can become good or bad by a change of another one, such as the role it names.
    const [own, others] = [
      results.filter(({ file }) => shown.has(file)),
      results.filter(({ file }) => !shown.has(file)),
    ];
    const spoilt = others.filter((result) => this.#verdicts.get(result.file) !== verdictOf(result));
    for (const result of [...own, ...spoilt]) this.#tellFile(result);
    for (const result of results) this.#verdicts.set(result.file, verdictOf(result));
    for (const run of runs) this.#tellRun(run);
  }

  /**
   * Nothing where all is as it was. A file that changes while it is judged is judged again: otherwise what is reported is of a
   * later content than the hash, and the same content would be reported once more.
   */
  async #judgeChanged(before: ReadonlyMap<string, string> | null): Promise<Judged> {
    for (let looks = 1; ; looks += 1) {
      const opened = await this.#scan();
      if (before !== null && isSame(before, this.#files)) return NOTHING;
      const judged = await this.#judge(opened);
      const { files } = watchedFiles(opened.view, this.#options.named);
      if (looks === MOST_LOOKS || isSame(files, this.#files)) return judged;
    }
  }

  async #scan(): Promise<OpenedProject> {
    const { terminal, named, watch } = this.#options;
    const opened = await openWatched(terminal);
    // Watched before they are read, so that nothing comes between; a folder that came to be is read once more.
    watch.follow(watchedFiles(opened.view, named).folders);
    const { files, folders } = watchedFiles(opened.view, named);
    watch.follow(folders);
    this.#files = files;
    return opened;
  }

  async #judge({ view, broken }: OpenedProject): Promise<Judged> {
    if (broken !== null) return { results: [broken], runs: [] };
    const wanted = [...this.#files.keys()].filter((path) => this.#isNamed(path));
    return { results: await checkWatched(wanted, view), runs: await openDefinitions(view) };
  }

  #isNamed(path: string): boolean {
    const { named } = this.#options;
    return named.length === 0 || named.some((one) => path === one || path.startsWith(`${one}${sep}`));
  }

  #shown(path: string): string {
    return pathInProject(path, this.#options.terminal.folder);
  }

  #tellFile(result: CheckedFile): void {
    this.#write({ kind: 'file.checked', ...result }, checkedText(result));
  }

  #tellRemoved(file: string): void {
    this.#verdicts.delete(file);
    this.#write({ kind: 'file.removed', file }, `${file}: gone`);
  }

  #tellRun({ info, now }: OpenDefinition): void {
    const signature = signatureOf(now);
    // One that is new here began with what was there.
    const before = this.#runs.get(info.run) ?? SAME;
    this.#runs.set(info.run, signature);
    if (before === signature) return;
    const { run, workflow } = info;
    const { state, files, changes } = now;
    const keeps = `keeps the definition it began with: ${changeSentence(now, (path) => this.#shown(path))}`;
    const again = 'has again what its files say';
    this.#write(
      { kind: 'run.keeps', run, workflow, state, files, changes, lines: definitionChangeLines(now) },
      `run ${run} (${workflow}) ${signature === SAME ? again : keeps}`,
    );
  }

  #write(line: object, text: string): void {
    const { isJson, terminal } = this.#options;
    terminal.stdout.write(`${isJson ? JSON.stringify(line) : plainText(text)}\n`);
  }
}

/** What is wrong in a different file is reported with that one, not with each file that it spoils. */
const verdictOf = ({ file: own, workflows, problems }: CheckedFile): string =>
  JSON.stringify([workflows, problems.filter(({ file = own }) => file === own)]);

const signatureOf = ({ state, changes }: OpenDefinition['now']): string =>
  state === 'same' ? SAME : JSON.stringify([state, changes]);

const SAME = 'same';
