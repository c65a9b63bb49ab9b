import { existsSync } from 'node:fs';
import type { Context, Hono } from 'hono';
import { commandWords, type Action } from '../../protocol/web/action.ts';
import type { Backstage } from '../backstage.ts';
import {
  answerBody,
  forkBody,
  mergeBody,
  reasonBody,
  resumeBody,
  rollbackBody,
  startBody,
  tellBody,
} from './act-bodies.ts';
import { bodyOf, jsonAnswer, runOf } from './request-parts.ts';

type Kind = Exclude<Action['kind'], 'start'>;
type Reader = (context: Context, run: string) => Promise<Action>;

/** Whatever changes something: each is a command of the command line, given in the folder of the run's project. */
export function addActRoutes(app: Hono, backstage: Backstage): void {
  app.post('/api/runs', async (context) => {
    const action: Action = { kind: 'start', ...(await bodyOf(context, startBody)) };
    return jsonAnswer(context, await backstage.act(commandWords(action), { folder: backstage.project }));
  });
  for (const [kind, read] of Object.entries(READERS)) {
    app.post(`/api/runs/:run/${kind}`, async (context) => {
      const { run, project } = await runOf(context, backstage);
      const action = await read(context, run);
      const folder = existsSync(project) ? project : backstage.project;
      return jsonAnswer(context, await backstage.act(pageWords(action), { folder }));
    });
  }
}

/** The journal says of an answer that it was given at the page. */
const pageWords = (action: Action): readonly string[] => {
  const [name = '', ...words] = commandWords(action);
  return action.kind === 'answer' ? [name, '--via', 'page', ...words] : [name, ...words];
};

const READERS: Readonly<Record<Kind, Reader>> = {
  answer: async (context, run) => ({ kind: 'answer', run, ...(await bodyOf(context, answerBody)) }),
  tell: async (context, run) => ({ kind: 'tell', run, ...(await bodyOf(context, tellBody)) }),
  cancel: async (context, run) => ({ kind: 'cancel', run, ...(await bodyOf(context, reasonBody)) }),
  pause: async (context, run) => ({ kind: 'pause', run, ...(await bodyOf(context, reasonBody)) }),
  resume: async (context, run) => ({ kind: 'resume', run, ...(await bodyOf(context, resumeBody)) }),
  fork: async (context, run) => ({ kind: 'fork', run, ...(await bodyOf(context, forkBody)) }),
  merge: async (context, run) => ({ kind: 'merge', run, ...(await bodyOf(context, mergeBody)) }),
  rollback: async (context, run) => ({ kind: 'rollback', run, ...(await bodyOf(context, rollbackBody)) }),
};
