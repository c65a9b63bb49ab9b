interface DatabaseError {
  readonly code?: string;
  readonly message?: string;
}

/** SQLSTATE codes after which the same call may succeed: connection lost, server starting or stopping, too busy, deadlock, standby. */
const PASSING_STATES = /^(08...|57P0[1-5]|53...|40001|40P01|25006|55P03)$/;

/** Errors of the operating system when the server cannot be reached. */
const PASSING_SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;

/** The driver has no codes for these. */
const PASSING_TEXT =
  /connection terminated|connection error|timeout|not queryable|closed the connection|client was closed/i;

/** Whether PostgreSQL may accept the same call later: it is away, or has no room, connection or memory left. */
export function isPassingError(error: unknown): boolean {
  const { code, message } = error as DatabaseError;
  if (code !== undefined) return PASSING_STATES.test(code) || PASSING_SYSTEM.test(code);
  return error instanceof AggregateError || PASSING_TEXT.test(message ?? '');
}

/** The server ended a statement that took longer than it may. */
export const isSlowStatement = (error: unknown): boolean => (error as DatabaseError).code === '57014';
