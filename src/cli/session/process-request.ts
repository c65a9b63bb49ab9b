import { z } from 'zod';
import { PROTOCOL } from '../../app/acts/drive-apart.ts';
import { Fault } from '../../core/model/fault.ts';
import { schemaProblems } from '../../protocol/checked-request.ts';
import { parseJson } from '../../core/model/json.ts';

/** What another process of Troupe asks over standard input. REQUEST_INVALID, PROTOCOL_NEWER. */
export function processRequest<Shape extends z.ZodRawShape>(
  given: string,
  shape: Shape,
  hint: string,
): z.output<z.ZodObject<Shape>> {
  const value = parseJson(given, null);
  const version = z.looseObject({ protocol: z.number() }).safeParse(value);
  if (version.success && version.data.protocol > PROTOCOL) throw newer(version.data.protocol);
  const { protocol: _protocol, ...rest } = version.success ? version.data : {};
  const read = z.strictObject(shape).safeParse(rest);
  if (version.success && read.success) return read.data;
  throw new Fault('REQUEST_INVALID', 'Standard input holds no whole request.', {
    problems: schemaProblems((read.success ? version : read).error ?? new z.ZodError([])),
    hint,
  });
}

const newer = (version: number): Fault =>
  new Fault('PROTOCOL_NEWER', `The request has version ${version}; this Troupe knows ${PROTOCOL}.`, {
    hint: 'Use one version of Troupe for both processes: update this one.',
  });
