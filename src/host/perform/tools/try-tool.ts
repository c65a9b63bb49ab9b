import { DEFAULT_RETRY, retryDelayMs } from '../../../core/step/retry.ts';
import type { Tool, ToolResult } from '../../../tools/port.ts';
import type { Clock } from '../../world.ts';
import type { EffectContext } from '../../world.ts';

/** Default number of tries (PH6). */
const TRIES = 3;

export interface Tried {
  /** Absent if it was one. */
  readonly tries?: number;
}

/**
 * Repeats a call that failed for a passing reason, each time after a longer wait. A call that must not happen twice is never
 * repeated: it may have happened.
 */
export async function tryTool<Result extends ToolResult>(
  context: EffectContext,
  { tool, key }: { readonly tool: Pick<Tool, 'repeat'>; readonly key: string },
  attempt: () => Promise<Result>,
): Promise<Result & Tried> {
  const { world, signal } = context;
  for (let tries = 1; ; tries += 1) {
    const result = await attempt();
    const mayPass = result.isError && result.transient === true && tool.repeat === 'safe' && !signal.aborted;
    const delayMs = mayPass ? delayAfter(context, tries, key) : null;
    if (delayMs === null) return withTries(result, tries);
    await waited(world.clock, delayMs, signal);
    if (signal.aborted) return withTries(result, tries);
  }
}

function delayAfter({ definition }: EffectContext, tries: number, key: string): number | null {
  const { retry = DEFAULT_RETRY, workflow, toolTries } = definition;
  const most = workflow.toolTries ?? toolTries ?? TRIES;
  const failure = { code: 'TOOL_FAILED', message: '', class: 'network' } as const;
  return retryDelayMs({ ...retry, tries: { network: most } }, failure, { number: tries, key });
}

async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = clock.alarm(clock.now() + ms, resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  forget();
}

function withTries<Result extends ToolResult>(result: Result, tries: number): Result & Tried {
  if (tries === 1) return result;
  const note = result.isError ? `Tried ${tries} times; it failed each time.` : `It came out at try ${tries}.`;
  return { ...result, content: `${result.content}\n(${note})`, tries };
}
