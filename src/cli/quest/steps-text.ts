import { oneLine } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';
import { choicesText, countText, pausedLines } from '../../app/quest/quest-text.ts';
import type { ShownQuest, ShownStep } from '../../app/quest/shown-quest.ts';

/** The steps of a quest as a table: how each stands, who works on it where, and what it is. */
export function stepsText(view: ShownQuest, width: number): string {
  const { run, steps, questions } = view;
  const head = ['STEP', 'STATUS', 'SLOT', 'ROLE', 'SESSION', 'TITLE'];
  const rows = steps.map((step) => rowOf(step, view));
  const asked = questions.map((one) => oneLine(`asks ${one.name}: ${one.text}${choicesText(one)}`, width));
  const answers = questions.length === 0 ? [] : [`answer with: troupe quest answer ${run} QUESTION TEXT`];
  return [
    oneLine(`${run}: ${view.status}; steps: ${countText(steps)}`, width),
    ...(steps.length === 0 ? [] : [table([head, ...rows], width)]),
    ...pausedLines(view).map((line) => `paused: ${line}`),
    ...asked,
    ...answers,
    ...(view.status === 'stopped' ? [`go on with: troupe resume ${run}`] : []),
  ].join('\n');
}

const MOST_SESSION = 12;

function rowOf(step: ShownStep, { slots }: ShownQuest): readonly string[] {
  const slot = slots.find((one) => one.run === step.run);
  const last = step.sessions.at(-1);
  const isOver = slot === undefined;
  const role = isOver ? (last?.role ?? '') : (slot.role ?? slot.state);
  const session = (isOver ? last?.session : slot.session) ?? '';
  return [
    oneLine(step.id, 20),
    step.status,
    isOver ? '' : String(slot.slot),
    oneLine(role, 14),
    oneLine(session, MOST_SESSION),
    oneLine(step.title, 200),
  ];
}
