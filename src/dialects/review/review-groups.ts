/**
 * The steps of a review as its author thinks of it, by the state that stands for each; every other state is a part of one of them.
 * For drawings: whatever is not named here is drawn as it is.
 */
export function reviewStep(state: string): string {
  return PARTS.get(state) ?? (/^(?:merge|settle|settled|guard|collide)_/.test(state) ? 'merge' : state);
}

const STEPS: Readonly<Record<string, readonly string[]>> = {
  implement: ['start', 'open', 'implemented'],
  verify: ['try_verify', 'ask_verify', 'go_on', 'verified', 'touched'],
  review: ['pack', 'reopen'],
  debate: ['take'],
  decide: ['show', 'synthesise', 'hybrid', 'ask'],
  revise: ['orders', 'revised'],
};

const PARTS = new Map(Object.entries(STEPS).flatMap(([step, parts]) => parts.map((part) => [part, step] as const)));
