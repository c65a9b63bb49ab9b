import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import { findingField } from './read-finding.ts';
import { readKeywords } from './read-keywords.ts';
import { VERDICTS, type ReviewVerdict } from './review.ts';
import type { ReplyProblem } from './taken.ts';

/** The decision of a person or synthesiser; null without a usable answer. */
export interface Choice {
  readonly decision: ReviewVerdict | null;
  readonly best: string | null;
}

/**
 * A person's words: the name of an implementation, a verdict, or both, and nothing else ([V3]: "do not approve impl_1" is no
 * approval of it).
 */
export function readChoice(answer: unknown, implementations: readonly string[]): Choice {
  const words = findingField(answer)
    .toLowerCase()
    .split(/[\s,;:.!"'`()]+/)
    .filter((word) => word !== '' && word !== 'and');
  const known = (list: readonly string[]): readonly string[] => list.filter((one) => words.includes(one.toLowerCase()));
  const [named, said] = [known(implementations), VERDICTS.filter((one) => words.includes(one.toLowerCase()))];
  if (new Set(words).size !== named.length + said.length) return { decision: null, best: null };
  return { decision: only(said), best: only(named) };
}

/** Two of them at once are no choice. */
const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null);

/** Which paths of the result come from which implementation. */
export interface HybridPart {
  readonly implementation: string;
  readonly paths: readonly string[];
}

export interface Synthesis extends Choice {
  readonly reason: string;
  readonly parts: readonly HybridPart[];
}

/** Reads the synthesiser's structured reply, or its text: `{text}`. */
export function readSynthesis(given: unknown, implementations: readonly string[]): Synthesis {
  const fields = isJsonObject(given) ? { ...given, ...spoken(given, implementations) } : {};
  const decision = VERDICTS.find((one) => one === findingField(fields.decision).toUpperCase()) ?? null;
  const best = implementations.find((one) => one === findingField(fields.best)) ?? null;
  const parts: readonly unknown[] = Array.isArray(fields.parts) ? fields.parts : [];
  return {
    decision,
    best,
    reason: findingField(fields.reason) || 'no reason was given.',
    parts: parts.flatMap((part) => readPart(part, implementations)),
  };
}

/** Names in a synthesis that do not exist. */
export function synthesisProblems(given: unknown, implementations: readonly string[]): readonly ReplyProblem[] {
  const { best, parts } = isJsonObject(given) ? given : {};
  const listed: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const named = [best, ...listed.map((part) => (isJsonObject(part) ? part.implementation : part))].map(findingField);
  return [...new Set(named)]
    .filter((name) => !implementations.includes(name))
    .map((name) => ({
      code: 'IMPLEMENTATION_UNKNOWN',
      message: `There is no implementation "${name}" to choose. There are ${implementations.join(', ')}.`,
    }));
}

/** For models that hand nothing in: `APPROVE: …` and `RANKING: impl_2 > impl_1`. */
function spoken({ text: words }: JsonObject, implementations: readonly string[]): JsonObject {
  if (typeof words !== 'string') return {};
  const { verdict, ranking, summary } = readKeywords(words, { kind: 'position', implementations });
  return { decision: verdict, best: ranking[0] ?? null, reason: summary };
}

function readPart(given: unknown, implementations: readonly string[]): readonly HybridPart[] {
  const fields = isJsonObject(given) ? given : {};
  const implementation = findingField(fields.implementation);
  const paths = (Array.isArray(fields.paths) ? fields.paths : [])
    .map((path) => findingField(path))
    .filter((path) => path !== '');
  return implementations.includes(implementation) && paths.length > 0 ? [{ implementation, paths }] : [];
}
