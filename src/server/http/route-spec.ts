import type { z } from 'zod';
import type { OperationName } from '../../protocol/operations/access.ts';
import type { View } from '../../protocol/operations/views.ts';

/** A route as it is described to others. `test/web/server/openapi.test.ts` holds this table to what is mounted. */
export interface RouteSpec {
  readonly method: 'get' | 'post';
  /** As OpenAPI writes it: `/api/runs/{run}`. */
  readonly path: string;
  readonly summary: string;
  /** The operation whose role applies (`access.ts`); for parts of a view or a list, that view or list. */
  readonly operation: OperationName;
  readonly query?: z.ZodObject;
  /** The view of a run that it gives. */
  readonly view?: View['kind'];
  readonly body?: z.ZodType;
  readonly answer: RouteAnswer;
  /** Errors it may give besides 401, 403 and 429. */
  readonly errors?: readonly number[];
}

export type RouteAnswer =
  | { readonly schema: z.ZodType }
  /** Each event holds one. */
  | { readonly events: z.ZodType }
  | { readonly bytes: true };
