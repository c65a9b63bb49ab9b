import { chargeOf } from '../../core/record/charge.ts';
import type { Fact } from '../../core/record/fact.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { LogLevel, LogLine } from './log-line.ts';

/** The parts of a line that describe a failure. */
export const why = (failure: Failure | null): Pick<LogLine, 'code' | 'message'> =>
  failure === null ? {} : { code: failure.code, message: logLineText(failure.message) };

export function outcomeFields(
  outcome: Outcome,
  failure: Failure | null,
): Pick<LogLine, 'level' | 'status' | 'code' | 'message'> {
  return { level: LEVELS[outcome], status: outcome === 'ok' ? 'success' : outcome, ...why(failure) };
}

const LEVELS: Readonly<Record<Outcome, LogLevel>> = {
  ok: 'INFO',
  skipped: 'INFO',
  partial: 'WARN',
  blocked: 'WARN',
  quota: 'WARN',
  cancelled: 'WARN',
  failed: 'ERROR',
  timeout: 'ERROR',
  crashed: 'ERROR',
};

type Tokens = Pick<LogLine, 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'>;

export const tokensInLine = (usage: Usage | undefined): Tokens =>
  usage === undefined
    ? {}
    : {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cache_read_tokens: usage.cacheReadTokens,
        cache_write_tokens: usage.cacheWriteTokens,
      };

/** Cost of the record (R4). */
export function paidFor(fact: Fact): Tokens & Pick<LogLine, 'model' | 'cost_usd'> {
  const charge = chargeOf(fact);
  if (charge === null) return {};
  return {
    ...(charge.model === null ? {} : { model: charge.model }),
    ...tokensInLine(charge.usage),
    cost_usd: charge.costUsd,
  };
}

const MOST = 300;

/** On one line, and not too long for one. */
export function logLineText(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ').trim();
  return one.length <= MOST ? one : `${one.slice(0, MOST - 1)}…`.toWellFormed();
}
