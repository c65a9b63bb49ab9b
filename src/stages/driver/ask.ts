import { PERSON, type AgentMessage } from '../agent-message.ts';
import { createTaskMessage } from '../make-message.ts';
import { metadataOf } from '../read-message.ts';
import type { StageEvent } from './decision.ts';
import { failStage } from './end-stage.ts';
import { deliver } from './enter-stage.ts';
import { finishFailed } from './finish.ts';
import { goOn } from './go-on.ts';
import { changeAgent, openStage, tellOnly, type OpenStage, type StageProgress } from './progress.ts';

/** Questions of one stage to a person, at most; then it has failed. */
const QUESTIONS = 10;

/** The agent needs a person's word: nobody in the workflow takes its question, or it is blocked. */
export function ask(progress: StageProgress, turn: OpenStage, message: AgentMessage): void {
  if (turn.questions >= QUESTIONS) {
    const words = `${turn.role} asked ${QUESTIONS} questions in the stage ${turn.stage} and has another.`;
    const end = failStage(progress, turn, { code: 'AGENT_ERROR', message: words, isChance: false });
    return end === undefined ? goOn(progress, null) : finishFailed(progress, end);
  }
  const choices = metadataOf(message, 'choices');
  const { subject, body } = message.content;
  replace(progress, { ...turn, questions: turn.questions + 1, isAsking: true });
  changeAgent(progress, turn.role, { status: 'blocked' });
  progress.question = {
    stage: turn.stage,
    role: turn.role,
    text: body === '' ? subject : body,
    choices: Array.isArray(choices) ? choices.map(String) : [],
  };
  // Others may go on meanwhile.
  goOn(progress, null);
}

/** The person answered: the same agent goes on with the same stage. */
export function answer(progress: StageProgress, event: Extract<StageEvent, { kind: 'answered' }>): void {
  const turn = openStage(progress, event.stage);
  if (turn === undefined || !turn.isAsking) {
    const message = `An answer came for the stage ${event.stage}, which has not asked.`;
    return tellOnly(progress, { stage: event.stage, code: 'UNEXPECTED_MESSAGE', message, recoverable: true });
  }
  const reply = { ...createTaskMessage(turn.role, 'Answer', event.answer), from: PERSON };
  progress.state.messages?.push(reply);
  progress.sent.push(reply);
  deliver(progress, {
    ...turn,
    inputs: [...turn.inputs, reply],
    isAsking: false,
    note: 'A person answered your question. The answer is the last part of what you are given.',
  });
}

function replace({ kept }: StageProgress, turn: OpenStage): void {
  kept.open = kept.open.map((one) => (one.stage === turn.stage ? turn : one));
}
