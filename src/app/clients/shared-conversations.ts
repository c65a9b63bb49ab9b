import {
  canTravel,
  type ClientConversation,
  type ConversationFiles,
  readConversation,
  writeConversation,
} from '../../actors/clients/conversation-files.ts';
import { withBooks } from '../../actors/clients/client-home.ts';
import type { KeptConversation } from '../../core/record/agent-fact.ts';
import { isFault } from '../../core/model/fault.ts';
import type { BroughtConversation, Conversations } from '../../host/world.ts';
import { readHeldFile, writeHeldFile } from '../../lib/held-file.ts';
import { getBlob, putBlob } from '../../workspace/travel/packed-body.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';

interface ConversationBody extends ConversationFiles {
  readonly format: 1;
  readonly kind: string;
  /** The workspace in which it was held. */
  readonly folder: string;
}

/** Conversations of clients in the store that all workers share, so that any of them can go on in one. */
export function sharedConversations(shared: SharedStore): Conversations {
  return {
    async keep(conversation, redact) {
      const found = await readConversation(conversation);
      if (found === null) return null;
      const { kind, folder } = conversation;
      const files = found.files.map(({ path, text }) => ({ path, text: redact(text) }));
      const body: ConversationBody = { format: 1, kind, folder, files, book: found.book };
      const bytes = Buffer.from(JSON.stringify(body));
      const kept = { body: await putBlob(shared, bytes), bytes: bytes.length };
      await note(conversation, kept.body);
      return kept;
    },

    async bring(conversation, kept) {
      const isHere = async (): Promise<boolean> => (await readConversation(conversation)) !== null;
      if (!canTravel(conversation.kind)) return HERE;
      if (kept === null) return (await isHere()) ? HERE : GONE;
      // What is here goes on from there: it may hold a turn that was cut off in this home.
      if ((await noted(conversation)) === kept.body && (await isHere())) return HERE;
      return await fetched(shared, conversation, kept).catch(ifDamaged);
    },
  };
}

const HERE: BroughtConversation = { kind: 'here' };
const GONE: BroughtConversation = { kind: 'gone' };

async function fetched(
  shared: SharedStore,
  conversation: ClientConversation,
  kept: KeptConversation,
): Promise<BroughtConversation> {
  const body = JSON.parse((await getBlob(shared, kept.body)).toString('utf8')) as Partial<ConversationBody>;
  const { format, kind, folder = '', files = [], book = null } = body;
  if (format !== 1 || kind !== conversation.kind) return GONE;
  await writeConversation(conversation, { files, book });
  await note(conversation, kept.body);
  return { kind: 'brought', folder };
}

/** A conversation is not worth blocking a run. */
function ifDamaged(error: unknown): BroughtConversation {
  if (isFault(error) && error.code === 'STORE_DAMAGED') return GONE;
  throw error;
}

/** Beside the home, where no agent can write: which of the stored ones the conversation here goes on from. */
const noteOf = (session: string): string => `${session}.kept`;

async function note({ home, session }: ClientConversation, body: string): Promise<void> {
  await withBooks(home, (books) => writeHeldFile(books, noteOf(session), { content: body, mode: 0o600 }));
}

async function noted({ home, session }: ClientConversation): Promise<string | null> {
  const found = await withBooks(home, (books) => readHeldFile(books, noteOf(session), { maxBytes: 100 })).catch(
    () => null,
  );
  return found?.toString('latin1') ?? null;
}
