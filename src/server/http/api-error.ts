import type { ErrorStatus } from '../../core/codes/code-entry.ts';
import { codeEntry, type FaultCode } from '../../core/codes/codes.ts';
import { isFault, type Fault } from '../../core/model/fault.ts';
import type { ApiError } from '../../protocol/web/api-error.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';

export const statusOf = (code: FaultCode): ErrorStatus => codeEntry(code).status ?? 400;

export function errorBody(error: unknown): ApiError {
  const fault = isFault(error) ? error : faultToFix(error, 'the disk');
  if (fault === null)
    return { error: { code: 'INTERNAL', message: 'Something went wrong in the server.', hint: DEFECT } };
  return { error: { code: fault.code, message: fault.message, ...hintOf(fault), ...problemsOf(fault) } };
}

const DEFECT =
  'This is a defect of Troupe. Set TROUPE_DEBUG=1 where the server was started to see where it comes from.';

const hintOf = ({ hint }: Fault): { readonly hint?: string } => (hint === undefined ? {} : { hint });

const problemsOf = ({ problems }: Fault): { readonly problems?: Fault['problems'] } =>
  problems.length === 0 ? {} : { problems };
