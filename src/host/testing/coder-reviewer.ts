import type { CallReply, CallRequest } from '../../actors/port.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Tool } from '../../tools/port.ts';
import { build, end, to, turn, work } from './build-definition.ts';
import { says } from './test-world.ts';

export const REVIEW = {
  name: 'review_work',
  description: 'Gives the verdict.',
  parameters: {
    type: 'object',
    properties: { good: { type: 'boolean' }, note: { type: 'string' } },
    required: ['good'],
  },
} as const;

/** The loop most tests run: the coder works with a tool, the reviewer asks for one improvement, then approves. */
export function coderReviewer(): Definition {
  return build({
    data: { task: 'write it' },
    roles: { coder: {}, reviewer: { parsingTools: [REVIEW] } },
    states: [
      work('start', { kind: 'none' }, [
        to('code', { assign: "this.common_data.task = 'Do: ' + this.common_data.task" }),
      ]),
      work('code', turn('coder', 'common_data.task'), [to('review')]),
      work('review', turn('reviewer', "'judge it'"), [
        to('code', {
          when: 'function.review_work.arguments.good === false',
          assign: 'this.common_data.task = function.review_work.arguments.note',
        }),
        to('stop', { when: 'function.review_work.arguments.good === true' }),
      ]),
      end('stop', "'done after ' + contexts.room.messages.length"),
    ],
  });
}

/** Answers by the conversation alone, never by earlier requests: a resumed run gets the same. */
export function coderReviewerAnswer(request: CallRequest): CallReply {
  if (request.agent === 'reviewer') {
    const good = request.visit > 1;
    return says('', [{ id: `v${request.visit}`, name: 'review_work', arguments: { good, note: 'make it better' } }]);
  }
  if (request.call === 1) return says('', [{ id: 'n', name: 'note', arguments: { text: `visit ${request.visit}` } }]);
  return says(`finished visit ${request.visit}`);
}

/** Keeps the notes, so that a test can see what was done twice. */
export function noteTool(notes: string[]): Tool {
  return {
    spec: {
      name: 'note',
      description: 'Writes a note.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    repeat: 'safe',
    access: 'talk',
    run(input) {
      notes.push(JSON.stringify(input['text']));
      return Promise.resolve({ content: 'noted', isError: false });
    },
  };
}
