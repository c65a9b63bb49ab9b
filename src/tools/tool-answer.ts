import type { Json } from '../core/model/json.ts';
import type { ToolResult } from './port.ts';

/** Text, a finished result, or data that is given to the agent as JSON. */
export type ToolReply = ToolResult | Json;

/** Brings any return value of a tool into one shape. The sender limits its length. */
export function toolResultOf(answer: ToolReply): ToolResult {
  if (isToolResult(answer)) return { content: answer.content, isError: answer.isError, ...remarksOf(answer) };
  return { content: typeof answer === 'string' ? answer : asJson(answer), isError: false };
}

/** Limit for a program of the project. */
export const MAX_CONTENT = 300_000;

/** Values without JSON, such as undefined or a function, become null. */
function asJson(answer: Json): string {
  const text: string | undefined = JSON.stringify(answer);
  return text ?? 'null';
}

/** A project's own tool may have put anything there. */
function remarksOf({ changed, refused, transient }: ToolResult): Pick<ToolResult, 'changed' | 'refused' | 'transient'> {
  const isList = Array.isArray(changed) && changed.every((path) => typeof path === 'string');
  return {
    ...(isList ? { changed } : {}),
    ...(typeof refused === 'string' ? { refused } : {}),
    ...(transient === true ? { transient } : {}),
  };
}

function isToolResult(answer: ToolReply): answer is ToolResult {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'content' in answer &&
    typeof answer.content === 'string' &&
    'isError' in answer &&
    typeof answer.isError === 'boolean'
  );
}

export function capped(content: string): string {
  if (content.length <= MAX_CONTENT) return content;
  return `${content.slice(0, MAX_CONTENT)}\n[… ${content.length - MAX_CONTENT} characters left out …]`;
}
