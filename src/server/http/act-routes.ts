import { existsSync } from 'node:fs';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { IMMEDIATE_ACTS, ORDERS, type Act } from '../../protocol/operations/acts.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import type { Acting, Operations } from '../operations.ts';
import { visitorOf } from './door.ts';
import { bodyOf, runOf } from './request-parts.ts';

/** The body of each act; the run is in the path. */
export const ACT_BODIES = {
  start: ORDERS.start.far,
  answer: ORDERS.answer.far.omit({ run: true }),
  tell: IMMEDIATE_ACTS.tell.request.omit({ run: true }),
  cancel: IMMEDIATE_ACTS.cancel.request.omit({ run: true }),
  pause: IMMEDIATE_ACTS.pause.request.omit({ run: true }),
  resume: ORDERS.resume.far.omit({ run: true }),
  fork: ORDERS.fork.far.omit({ run: true }),
  deliver: IMMEDIATE_ACTS.deliver.request.omit({ run: true }),
  discard: IMMEDIATE_ACTS.discard.request.omit({ run: true }),
  archive: IMMEDIATE_ACTS.archive.request.omit({ run: true }),
  rollback: IMMEDIATE_ACTS.rollback.request.omit({ run: true }),
} as const;

/** Routes that change something, in the folder of the run's project. */
export function addActRoutes(app: Hono, operations: Operations): void {
  app.post('/api/runs', async (context) => {
    const act: Act = { kind: 'start', ...(await bodyOf(context, ACT_BODIES.start)) };
    return Response.json(await operations.act(act, atPage(context, operations.project)));
  });
  app.post('/api/schedules/:name/remove', async (context) => {
    await bodyOf(context, PROJECT.scheduleRemove.request.omit({ name: true }));
    const name = context.req.param('name');
    await operations.schedules.remove(name);
    return Response.json({ kind: 'schedule.removed', name });
  });
  for (const kind of Object.keys(ACT_BODIES) as readonly (keyof typeof ACT_BODIES)[]) {
    if (kind === 'start') continue;
    app.post(`/api/runs/:run/${kind}`, async (context) => {
      const { run, project } = await runOf(context, operations);
      const act = await actOf(context, kind, run);
      const folder = existsSync(project) ? project : operations.project;
      return Response.json(await operations.act(act, atPage(context, folder)));
    });
  }
}

/** The door's name for the visitor counts, not what the client says. */
function atPage(context: Context, folder: string): Acting {
  const { name, role } = visitorOf(context);
  return { by: name, role, via: 'page', folder };
}

/** Its body was checked by the schema of its kind. */
async function actOf(context: Context, kind: keyof typeof ACT_BODIES, run: string): Promise<Act> {
  const schema: z.ZodType<object> = ACT_BODIES[kind];
  return { kind, run, ...(await bodyOf(context, schema)) } as Act;
}
