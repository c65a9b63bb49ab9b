import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Fault, isFault } from '../../core/fault.ts';
import type { Backstage } from '../backstage.ts';
import { addActRoutes } from './act-routes.ts';
import { errorBody, statusOf } from './api-error.ts';
import { guard } from './guard.ts';
import { addLookRoutes } from './look-routes.ts';
import { openApiDocument } from './openapi.ts';
import { securityHeaders } from './security-headers.ts';
import { Sessions } from './sessions.ts';
import { addStaticFiles } from './static-files.ts';

/** A part of the API. */
export type AddRoutes = (app: Hono, backstage: Backstage) => void;

export interface AppOptions {
  readonly token: string;
  readonly port: number;
  /** The folder of the built page. */
  readonly assets: string;
  readonly routes: readonly AddRoutes[];
  /** Hears of what is no fault of anybody but ours. */
  readonly onDefect?: (error: unknown) => void;
}

const MOST_BODY_BYTES = 1024 * 1024;

/** The whole server as one function from request to answer: who may come in, then the API, then the page. */
export function createServerApp(backstage: Backstage, options: AppOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (!isFault(error)) options.onDefect?.(error);
    return context.json(errorBody(error), isFault(error) ? statusOf(error.code) : 500);
  });
  app.notFound((context) => {
    const { method, path } = context.req;
    return context.json(errorBody(new Fault('ROUTE_UNKNOWN', `There is no ${method} ${path} here.`)), 404);
  });
  app.use(securityHeaders());
  const sessions = new Sessions(options.token, options.port);
  app.use(guard(sessions, options.port));
  app.use('/api/*', jsonOnly, bodyLimit({ maxSize: MOST_BODY_BYTES, onError: refuseLarge }));
  app.post('/api/session', (context) => context.json({ ok: true }, 200, { 'Set-Cookie': sessions.setCookie() }));
  app.get('/api/openapi.json', (context) => context.json(openApiDocument(backstage.version)));
  addLookRoutes(app, backstage);
  addActRoutes(app, backstage);
  for (const add of options.routes) add(app, backstage);
  app.all('/api/*', (context) => context.notFound());
  addStaticFiles(app, options.assets);
  return app;
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

function refuseLarge(_context: Context): never {
  throw new Fault('BODY_TOO_LARGE', `A body may have ${MOST_BODY_BYTES} bytes at most.`);
}
