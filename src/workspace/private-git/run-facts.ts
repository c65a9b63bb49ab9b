import type { RunId } from '../../core/ids.ts';
import { gitFacts, type GitFacts } from './git-facts.ts';

/**
 * What git says of a project, asked once for a run: starting git costs more than anything else when a workspace is made. Where
 * the user's repository keeps its parts and how it compares bytes is frozen with the run, as its ignore rules are; its commits
 * are read anew for each workspace. Runs that ask at the same time hear the same.
 */
export class RunFacts {
  readonly #known = new Map<string, Promise<GitFacts | null>>();
  readonly #asking = new Map<string, Promise<GitFacts | null>>();

  of(root: RunId, project: string): Promise<GitFacts | null> {
    const key = `${root} ${project}`;
    const facts = this.#known.get(key) ?? this.#ask(project);
    this.#known.set(key, facts);
    const forget = (): unknown => this.#known.delete(key);
    // A repository may still be made, and whoever failed is asked again.
    facts.then((found) => (found === null ? forget() : null), forget);
    for (const [oldest] of this.#known) if (this.#known.size > MOST_RUNS) this.#known.delete(oldest);
    return facts;
  }

  #ask(project: string): Promise<GitFacts | null> {
    const asked = this.#asking.get(project) ?? gitFacts(project).finally(() => this.#asking.delete(project));
    this.#asking.set(project, asked);
    return asked;
  }
}

const MOST_RUNS = 200;
