import type { SessionOrder } from '../../client-port.ts';

export interface CodexArguments {
  readonly program: string;
  readonly session: SessionOrder;
  /** The name of the turn's settings. */
  readonly profile: string;
}

/** One turn. What it is told comes over its input. */
export function codexArguments({ program, session, profile }: CodexArguments): readonly string[] {
  return [program, 'exec', ...SPEAKING, '-p', profile, ...sessionWords(session), '-'];
}

const SPEAKING = ['--json', '--skip-git-repo-check', '--ignore-rules'];

function sessionWords(session: SessionOrder): readonly string[] {
  if (session.how === 'new') return [];
  return session.how === 'resumed' ? ['resume', session.id] : ['fork', session.from];
}

/** It takes anything else for a name, and where it does not know the name it begins a new conversation without a word. */
export const isThreadId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
