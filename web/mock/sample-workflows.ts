import type { Role } from '../../src/core/model/role.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { REVIEW } from '../../src/host/testing/coder-reviewer.ts';

const role = (systemMessage: string, more: Partial<Role> = {}): Partial<Role> => ({ systemMessage, ...more });

/** Small workflows that show each part of the page: a loop of two agents, a question, a failure, and many words. */
export const SAMPLE_WORKFLOWS: Readonly<Record<string, { readonly about: string; readonly definition: Definition }>> = {
  write_and_review: {
    about: 'One writes, another reviews until it is good',
    definition: build({
      name: 'write_and_review',
      data: { task: 'write it' },
      roles: { coder: role('You write code.'), reviewer: role('You review.', { parsingTools: [REVIEW] }) },
      states: [
        work('code', turn('coder', 'common_data.task'), [to('review')]),
        work('review', turn('reviewer', "'Judge it.'"), [
          to('code', { when: 'function.review_work.arguments.good === false' }),
          to('done', { when: 'function.review_work.arguments.good === true' }),
        ]),
        end('done', "'Reviewed.'"),
      ],
    }),
  },
  ask_first: {
    about: 'Asks which way to go, then goes it',
    definition: build({
      name: 'ask_first',
      data: { way: '' },
      roles: { coder: role('You do as you are told.') },
      states: [
        work(
          'ask',
          { kind: 'ask', question: expression(`'Which database should it use?'`), choices: ['sqlite', 'postgres'] },
          [to('build', { assign: 'this.common_data.way = result' })],
        ),
        work('build', turn('coder', "'Build it on ' + common_data.way"), [to('say')]),
        work('say', { kind: 'ask', question: expression(`'Anything to add to the notes?'`), choices: [] }, [
          to('done'),
        ]),
        end('done', 'common_data.way'),
      ],
    }),
  },
  breaks: {
    about: 'Fails at its command, as things do',
    definition: build({
      name: 'breaks',
      roles: { coder: role('You try.') },
      states: [
        work('try', turn('coder', "'Try it.'"), [to('check')]),
        work('check', { kind: 'command', command: expression("'npm test'"), okExitCodes: [0] }, [to('done')]),
        end('done'),
      ],
    }),
  },
};
