import { DefinitionStore } from '../../host/embedded/definition-store.ts';
import type { Backstage } from '../../server/backstage.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../config/project.ts';
import type { Store } from '../session/store.ts';
import { actApart } from './act-apart.ts';
import { definedBy } from './defined-by.ts';
import { fileAt } from './file-at.ts';
import { lookHere } from './look-here.ts';
import { workflowPages } from './workflow-pages.ts';

export interface BackstageOptions extends Pick<Invocation, 'terminal' | 'version' | 'perform'> {
  readonly store: Store;
  /** The program to start for what changes something. */
  readonly entry: string;
}

/** The world as the server sees it: the command line, word for word. */
export function createBackstage({ store, entry, terminal, version, perform }: BackstageOptions): Backstage {
  const { environment } = terminal;
  const project = enclosingProject(terminal.folder) ?? terminal.folder;
  return {
    version,
    home: store.home,
    project,
    journal: store.journal,
    look: async (words, { folder = project, signal } = {}) => {
      signal?.throwIfAborted();
      return await lookHere(words, { environment, folder, perform });
    },
    act: (words, { folder = project, signal } = {}) =>
      actApart(words, { entry, environment, folder, ...(signal === undefined ? {} : { signal }) }),
    definition: (records) => new DefinitionStore(store.journal).load(definedBy(records)),
    ...workflowPages(terminal),
    file: (run, place) => fileAt(store, run, place),
  };
}
