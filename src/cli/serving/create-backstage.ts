import { DefinitionStore } from '../../host/embedded/definition-store.ts';
import type { Backstage } from '../../server/backstage.ts';
import { Turnstile, type TurnstileOptions } from '../../server/turnstile.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../../app/config/project.ts';
import { performAct } from '../../app/acts/perform-act.ts';
import type { OpenStore } from '../../app/world/store.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { printedApart } from './act-apart.ts';
import { definedBy } from '../../app/library/defined-by.ts';
import { fileAt } from '../../app/results/file-at.ts';
import { lookHere } from './look-here.ts';
import { pourApart } from './pour-apart.ts';
import { looksLong } from './looks-long.ts';
import { workflowPages } from '../../app/library/workflow-pages.ts';

export interface BackstageOptions extends Pick<Invocation, 'terminal' | 'version' | 'perform'> {
  readonly store: OpenStore;
  /** The program to start for what changes something. */
  readonly entry: string;
  readonly acts?: TurnstileOptions;
}

/** Each is a process; more than a few only get in each other's way. Nobody presses so many buttons, but programs do. */
const ACTS = { atOnce: 8, waiting: 128 };

/** At what takes long to be read. */
const LOOKS = { atOnce: 2, waiting: Infinity };

/** As long as somebody loads something down. */
const POURS = { atOnce: 4, waiting: 16 };

/** The world as the server sees it: the command line, word for word. */
export function createBackstage(options: BackstageOptions): Backstage {
  const { store, entry, terminal, version, perform } = options;
  const { environment, secrets } = terminal;
  const project = enclosingProject(terminal.folder) ?? terminal.folder;
  const tell = (sentence: string): void => void terminal.stderr.write(`troupe: ${plainText(sentence)}\n`);
  const asking = { version, wishes: {}, tell, store };
  const acts = new Turnstile(options.acts ?? ACTS);
  const pours = new Turnstile(POURS);
  const looks = new Turnstile(LOOKS);
  return {
    version,
    home: store.home,
    project,
    journal: store.journal,
    look: async (words, { folder = project, signal } = {}) => {
      signal?.throwIfAborted();
      if (!(await looksLong(store.journal, words)))
        return await lookHere(words, { environment, folder, perform, secrets });
      const place = { entry, environment, folder, ...(signal === undefined ? {} : { signal }) };
      return await looks.pass(() => printedApart(words, place), signal);
    },
    act: (act, { folder, ...who }) =>
      acts.pass(() =>
        performAct({ ...asking, caller: { ...terminal, folder }, ...who }, act, { entry, home: store.home }),
      ),
    pour: (words) => pourApart(words, { entry, environment, folder: project }, pours),
    definition: (records) => new DefinitionStore(store.journal).load(definedBy(records)),
    ...workflowPages(terminal),
    file: (run, place) => fileAt(store, run, place),
  };
}
