import type { Hono } from 'hono';
import { requireRole } from '../../app/acts/require-role.ts';
import { API } from './api-table.ts';
import { visitorOf } from './door.ts';

/** Refuses by role before a route runs: each route names its operation, and each operation its role. ROLE_NEEDED. */
export function addRoleGates(app: Hono): void {
  for (const [path, routes] of Map.groupBy(API, (route) => route.path)) {
    app.use(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context, next) => {
      const method = context.req.method === 'HEAD' ? 'get' : context.req.method.toLowerCase();
      const route = routes.find((one) => one.method === method);
      if (route !== undefined) requireRole(visitorOf(context).role, route.operation);
      return await next();
    });
  }
}
