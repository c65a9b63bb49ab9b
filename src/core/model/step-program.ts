/** The program that begins a step which owes outputs: what it needs is there, and its order is recorded. */
export const STEP_BEGIN = 'step.begin';

/** The program that collects what a step owes, and records it as artifacts. */
export const STEP_COLLECT = 'step.collect';
