import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, CallReply, CallRequest } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { ToolCall } from '../../src/core/model/message.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { parseReview } from '../../src/formats/review/parse/parse-review.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';

/** Three implement, two review for five rounds, two revisions with a final review of three rounds each, a verified merge. */
export const ROUNDS = 5;
const FINAL_ROUNDS = 3;
const REVISIONS = 2;

/** Looks at the files and says nothing: what a command costs besides what it does. */
export const VERIFY = 'test -f src/bech32.ts';

/** Calls of the model that wait for each other: two in a turn with files, one in any other. */
export const CRITICAL_CALLS = 2 + 1 + 2 * ROUNDS + REVISIONS * (2 + 2 * FINAL_ROUNDS);

/** Runs of the command that wait for each other: on the untouched project, on all implementations at once, on each revision, on the merge. */
export const CRITICAL_COMMANDS = 1 + 1 + REVISIONS + 1;

export async function reviewDefinition(): Promise<Definition> {
  const document = {
    name: 'reviewed',
    implementers: ['base', 'smart', 'fast'],
    reviewers: ['smart', 'base'],
    max_rounds: ROUNDS,
    final_rounds: FINAL_ROUNDS,
    max_revisions: REVISIONS,
    verify: VERIFY,
  };
  const workflows = valueOrFault(parseReview(document, { file: 'reviewed', locate: () => undefined }), 'INTERNAL');
  const { roles } = await loadShipped();
  return valueOrFault(buildDefinition('reviewed', workflows, mergeRoles(roles)), 'INTERNAL');
}

/** Answers after a while. What it says follows from the round alone. */
export function reviewActor(modelMs: number): Actor {
  return {
    kind: 'bench',
    async call(request, { signal }) {
      if (modelMs > 0) await delay(modelMs, undefined, { signal });
      return request.agent.startsWith('impl') ? implement(request) : review(request);
    },
  };
}

function implement({ agent, state, visit, call }: CallRequest): CallReply {
  if (call > 1) return says('Done.');
  const lines = Array.from({ length: 60 }, (_, at) => `export const ${agent}_${at} = ${at}; // ${state} ${visit}\n`);
  const files = { 'src/bech32.ts': lines.join(''), 'test/more.test.ts': lines.slice(0, 20).join('') };
  return says(
    '',
    Object.entries(files).map(([path, content]) => ({ id: path, name: 'write_file', arguments: { path, content } })),
  );
}

const ALL = ['impl_1', 'impl_2', 'impl_3'];

function review({ agent, messages }: CallRequest): CallReply {
  const words = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [, round, of] = /round (\d+) of at most (\d+)/.exec(words) ?? [];
  if (round === undefined) {
    return hands('hand_in_review', {
      verdict: verdictOf(agent, 0),
      ranking: ALL,
      findings: found(agent, 0),
      summary: 'So far.',
    });
  }
  const finals = messages.filter(({ role, content }) => role === 'user' && /round 1 of .* final review/.test(content));
  const isLast = round === of;
  const isApproved = finals.length === REVISIONS;
  const stances = [...words.matchAll(/^(F\d+) \[.*\n(?: .*\n)*? {2}→/gm)].map(([, finding]) => ({
    finding: finding ?? '',
    stance: isApproved ? 'disagree' : 'agree',
    reason: 'I looked at the line.',
  }));
  const final = isApproved ? 'APPROVE' : 'REVISE_BEST';
  return hands('hand_in_position', {
    verdict: isLast ? final : verdictOf(agent, Number(round)),
    ranking: words.includes('A ranking of impl_1, best') ? ['impl_1'] : ALL,
    stances,
    findings: [],
  });
}

/** The two never say the same before the last round, and each says something else than before. */
const verdictOf = (agent: string, round: number): string =>
  (round % 2 === 0) === (agent === 'rev_1') ? 'REVISE_ALL' : 'REVISE_BEST';

const found = (agent: string, from: number): readonly JsonObject[] =>
  ALL.map((implementation, at) => ({
    implementation,
    severity: 'major',
    priority: 2,
    file: 'src/bech32.ts',
    line: from + at + (agent === 'rev_1' ? 1 : 11),
    claim: `Line ${at} of ${implementation} does not do what the task says, as ${agent} sees it.`,
    change: 'Do what the task says.',
  }));

const hands = (name: string, given: JsonObject): CallReply => says('', [{ id: name, name, arguments: given }]);

const says = (content: string, toolCalls: readonly ToolCall[] = []): CallReply => ({
  kind: 'answered',
  content,
  toolCalls,
  usage: { ...NO_USAGE, calls: 1 },
  costUsd: 0,
  model: 'bench',
});
