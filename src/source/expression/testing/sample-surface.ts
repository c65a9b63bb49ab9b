import type { JsonObject } from '../../../core/model/json.ts';
import type { CallSurface, SurfaceData } from '../../../core/evaluate/surface.ts';

/** A small run: two agents in one context, the second has just answered with a parsing tool. */
export function sampleSurface(data: JsonObject = {}, locals: JsonObject = {}): SurfaceData {
  const review = sampleCall('review_work', {
    improvement_needed: true,
    continue_message: 'Add tests.',
    score: 3,
    files: ['a.ts', 'b.ts'],
    nested: { level: 2 },
  });
  return {
    common_data: data,
    agents: {
      coder: { role: 'coder', contextRole: 'assistant', lastResponse: 'Done.', toolCalls: [], parsingToolCalls: [] },
      reviewer: {
        role: 'strict_reviewer',
        contextRole: 'user',
        lastResponse: 'Needs work.',
        toolCalls: [review],
        parsingToolCalls: [review],
      },
    },
    contexts: {
      code_history: {
        name: 'code_history',
        max_length: 50_000,
        messages: [
          { role: 'user', content: 'Build it.', author: 'workflow' },
          { role: 'assistant', content: 'Done.', author: 'coder' },
        ],
      },
    },
    sub_workflow_result: { status: 'ok' },
    last_agent_response: 'Needs work.',
    last_tool_calls: [review],
    last_parsing_tool_calls: [review],
    locals,
  };
}

export function sampleCall(name: string, input: JsonObject): CallSurface {
  return { id: `call-${name}`, type: 'function', function: { name, arguments: input } };
}
