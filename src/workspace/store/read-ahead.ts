import type { Pack } from './pack-folder.ts';

/** Reads a pack in larger pieces than is asked for: what is recorded together is mostly wanted together and in that order. */
export class ReadAhead {
  #room: Buffer | undefined;
  #pack: Pack | null = null;
  #start = 0;
  #end = 0;

  /** Valid until the next one is asked for; null where it is large. */
  readAt(pack: Pack, offset: number): Buffer | null {
    const length = pack.lengthAt(offset);
    if (length > PIECE_BYTES) return null;
    const isHere = this.#pack === pack && offset >= this.#start && offset + length <= this.#end;
    const room = isHere && this.#room !== undefined ? this.#room : this.#readFrom(pack, offset);
    return room.subarray(offset - this.#start, offset - this.#start + length);
  }

  #readFrom(pack: Pack, offset: number): Buffer {
    const room = (this.#room ??= Buffer.allocUnsafeSlow(PIECE_BYTES));
    const length = Math.min(PIECE_BYTES, pack.bytes - offset);
    this.#pack = null;
    pack.fill(room.subarray(0, length), offset);
    [this.#pack, this.#start, this.#end] = [pack, offset, offset + length];
    return room;
  }
}

const PIECE_BYTES = 128 * 1024;
