import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { packObject } from './packed-body.ts';
import { PIECE_BYTES, type SharedStore, wholeOf } from './port.ts';

/** What every shared store must do. `make` gives an empty one, and further openings of the same. */
export function sharedStoreContract(name: string, make: () => Promise<() => Promise<SharedStore>>): void {
  describe(`the contract of shared stores, ${name}`, () => {
    test('[U8] what one worker put another one gets, and only that', async () => {
      const open = await make();
      const bodies = [bodyOf('one'), bodyOf('two'), bodyOf('')];
      await (await open()).put(bodies);
      const other = await open();
      const unknown = bodyOf('three').name;
      expect(await other.missing([...bodies.map((body) => body.name), unknown])).toEqual(new Set([unknown]));
      expect(await contentsOf(other, [unknown, ...bodies.map((body) => body.name)])).toEqual(
        new Map(bodies.map((body) => [body.name, body.content])),
      );
    });

    test('[U8] hundreds of bodies at once, and the same ones again', async () => {
      const open = await make();
      const bodies = Array.from({ length: 450 }, (_, at) => bodyOf(`body ${at}`));
      const [one, other] = [await open(), await open()];
      await Promise.all([one.put(bodies), other.put(bodies.toReversed())]);
      await one.put(bodies);
      const found = await contentsOf(
        other,
        bodies.map((body) => body.name),
      );
      expect(found).toEqual(new Map(bodies.map((body) => [body.name, body.content])));
    });

    test.each([PIECE_BYTES, PIECE_BYTES + 1, 5 * PIECE_BYTES + 17])(
      '[U8] a body of %d bytes arrives whole, from one piece or many',
      async (bytes) => {
        const open = await make();
        const content = randomBytes(bytes);
        const [whole, cut] = [storedName('whole'), storedName('cut')];
        const store = await open();
        await store.put([
          { name: whole, content },
          { name: cut, content: inPiecesOf(content, 100_000) },
        ]);
        const found = await contentsOf(await open(), [whole, cut]);
        expect([found.get(whole)?.equals(content), found.get(cut)?.equals(content)]).toEqual([true, true]);
      },
    );

    test('[U8] an upload that breaks off is not seen, and the same body can be put again', async () => {
      const open = await make();
      const store = await open();
      const name = storedName('large');
      const content = randomBytes(3 * PIECE_BYTES);
      async function* broken(): AsyncGenerator<Buffer> {
        yield content.subarray(0, 2 * PIECE_BYTES);
        throw new Error('the line is cut');
      }
      const earlier = bodyOf('put before it');
      const later = bodyOf('put after it');
      await expect(store.put([earlier, { name, content: broken() }, later])).rejects.toThrow('the line is cut');
      expect(await (await open()).missing([earlier.name, name, later.name])).toEqual(new Set([name, later.name]));
      await store.put([{ name, content: inPiecesOf(content, PIECE_BYTES) }]);
      expect((await contentsOf(await open(), [name])).get(name)?.equals(content)).toBe(true);
    });

    test('[U8] two workers that put the same large body at once leave one whole body', async () => {
      const open = await make();
      const content = randomBytes(4 * PIECE_BYTES);
      const name = storedName('both');
      const put = async (): Promise<void> => (await open()).put([{ name, content: inPiecesOf(content, PIECE_BYTES) }]);
      await Promise.all([put(), put(), put()]);
      expect((await contentsOf(await open(), [name])).get(name)?.equals(content)).toBe(true);
    });
  });
}

export const storedName = (text: string): string => createHash('sha1').update(text).digest('hex');

function bodyOf(text: string): { readonly name: string; readonly content: Buffer } {
  return { name: storedName(text), content: packObject({ type: 'blob', body: Buffer.from(text) }) };
}

async function* inPiecesOf(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}

export async function contentsOf(store: SharedStore, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const { name, content } of store.get(names)) found.set(name, await wholeOf(content));
  return found;
}
