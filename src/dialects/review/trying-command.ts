import type { State } from '../../core/workflow.ts';
import { code, endState, to, workState } from '../source/model-parts.ts';
import { compute, HAS_COMMAND, LOST } from './review-works.ts';

/**
 * The user's command on the untouched project, before anybody is paid: red is nothing new, since the work is yet to be done, but
 * one that cannot be run at all would make all of it red. What to do then is the person's to say.
 */
export function tryingCommand(): readonly State[] {
  const said = "String(result ?? '').trim().toLowerCase()";
  const stopped = `this.common_data.problem = { code: 'VERIFY_UNUSABLE', hint: ${HAS_IMPLEMENTED} ? ${KEPT} : ${ANEW},
    message: 'The command cannot be run, so a person stopped it. ' + common_data.unusable.why }`;
  return [
    workState(
      'start',
      { kind: 'none' },
      {
        transitions: [to('try_verify', HAS_COMMAND), to('open')],
      },
    ),
    workState('try_verify', compute('review.try', '({ command: common_data.verify })'), {
      transitions: [
        to('ask_verify', 'result.isUnusable', ASK),
        to('open', 'result.isNone', "this.common_data.verify = ''"),
        to('open'),
      ],
      on: LOST,
    }),
    workState(
      'ask_verify',
      { kind: 'ask', question: code('common_data.question'), choices: [], approves: 'as-answered' },
      {
        transitions: [
          to('ask_verify', `${said} === ''`),
          to('unusable', `${said} === 'stop'`, stopped),
          to('go_on', `${said} === 'keep'`),
          to('go_on', `${said} === 'without'`, "this.common_data.verify = ''; this.common_data.evidence = {}"),
          to('verify', HAS_IMPLEMENTED, OTHER),
          to('try_verify', null, OTHER),
        ],
      },
    ),
    workState('go_on', { kind: 'none' }, { transitions: [to('pack', HAS_IMPLEMENTED), to('open')] }),
    endState('unusable', 'failed', { output: 'null', failure: 'common_data.problem' }),
  ];
}

const HAS_IMPLEMENTED = 'common_data.alive.length > 0';

const ANEW = "'Mend the command, or what it needs, and start anew.'";

/** What was made was paid for. */
const KEPT = `'The implementations are kept. Mend the command, or what it needs, and be asked again: '
  + 'troupe rollback RUN --to ask_verify, then troupe resume RUN'`;

const OTHER = 'this.common_data.verify = String(result).trim()';

const WAYS = `'Answer with another command; "keep" where it is the work itself that brings what is missing; '
  + '"without" to go on without evidence; or "stop".'`;

const ASK = `() => {
  const d = this.common_data;
  d.unusable = result;
  d.question = 'The command that is to show whether it works cannot be run: ' + result.why + '\\nNobody was set to work yet. ' + ${WAYS};
}`;

/** By the same rule as before the work. */
export const NOT_RUN = 'd.evidence[id]?.isUnusable === true';

/** After the implementing: in no workspace could it be run. */
export const ASK_AFTER_ALL = `() => {
  const d = this.common_data;
  const one = d.evidence[d.alive[0]];
  d.unusable = { why: '\`' + d.verify + '\` ended with exit code ' + one.exitCode + '.' + (one.output === '' ? '' : '\\n' + one.output.slice(-600)) };
  d.question = 'The command could not be run on any of the ' + d.alive.length + ' implementations: ' + d.unusable.why
    + '\\nNo reviewer was asked yet. ' + ${WAYS};
}`;
