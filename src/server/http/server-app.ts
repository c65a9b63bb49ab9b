import { Hono, type MiddlewareHandler } from 'hono';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Operations } from '../operations.ts';
import { addActRoutes } from './act-routes.ts';
import { errorBody, statusOf } from './api-error.ts';
import { SESSION, visitorOf, type Door } from './door.ts';
import { guard } from './guard.ts';
import { compressedAnswers } from './compressed-answers.ts';
import { addLookRoutes } from './look-routes.ts';
import { openApiDocument } from './openapi.ts';
import { addRoleGates } from './role-gates.ts';
import { securityHeaders } from './security-headers.ts';
import { addStaticFiles } from './static-files.ts';

/** A part of the API. */
export type AddRoutes = (app: Hono, operations: Operations) => void;

export interface AppOptions {
  readonly door: Door;
  /** The folder of the built page. */
  readonly assets: string;
  readonly routes: readonly AddRoutes[];
  /** Hears of what is not a fault of anybody but ours. */
  readonly onDefect?: (error: unknown) => void;
}

/** The whole server as one function from request to answer: who may come in, then the API, then the page. */
export function createServerApp(operations: Operations, options: AppOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (!isFault(error)) options.onDefect?.(error);
    return context.json(errorBody(error), isFault(error) ? statusOf(error.code) : 500, retryAfter(error));
  });
  app.notFound((context) => {
    const { method, path } = context.req;
    return context.json(errorBody(new Fault('ROUTE_UNKNOWN', `There is no ${method} ${path} here.`)), 404);
  });
  app.use(compressedAnswers());
  app.use(securityHeaders());
  const { door } = options;
  app.use(guard(door));
  app.use('/api/*', jsonOnly);
  addRoleGates(app);
  app.post(SESSION, (context) => {
    // Else a cookie could renew itself for ever. A wrong token does not get here with a good cookie either.
    if (context.req.header('authorization') === undefined) throw tokenNeeded();
    return context.json({ ok: true }, 200, { 'Set-Cookie': door.openSession(visitorOf(context)) });
  });
  app.post(`${SESSION}/end`, (context) =>
    context.json({ ok: true }, 200, { 'Set-Cookie': door.endSession(context.req.header('cookie')) }),
  );
  app.get('/api/openapi.json', (context) => context.json(openApiDocument(operations.version)));
  addLookRoutes(app, operations);
  // Before what acts: they look at a run again that was acted on.
  for (const add of options.routes) add(app, operations);
  addActRoutes(app, operations);
  app.all('/api/*', (context) => context.notFound());
  addStaticFiles(app, options.assets);
  return app;
}

const tokenNeeded = (): Fault =>
  new Fault('TOKEN_NEEDED', 'A session is opened with a token, not with another session.', {
    hint: 'Sign in with your token.',
  });

/** For a client that asks too often. */
function retryAfter(error: unknown): Record<string, string> {
  const seconds = isFault(error) ? error.facts['retryAfterS'] : undefined;
  return typeof seconds === 'number' ? { 'Retry-After': String(seconds) } : {};
}

/** Forms of other pages cannot send JSON without asking first. */
const jsonOnly: MiddlewareHandler = async (context, next) => {
  const { req } = context;
  const hasBody = req.header('transfer-encoding') !== undefined || Number(req.header('content-length') ?? 0) > 0;
  if (hasBody && !/^application\/json\b/i.test(req.header('content-type') ?? '')) {
    throw new Fault('BODY_NOT_JSON', 'A body must be JSON.', { hint: 'Send it with: Content-Type: application/json' });
  }
  return await next();
};
