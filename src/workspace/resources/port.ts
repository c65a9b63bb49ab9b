/** Things beside files that only one may use at a time: `resources` in the configuration, by name. */
export type ResourceSettings = Readonly<Record<string, ResourceSetting>>;

export type ResourceSetting =
  /** A free port of this machine. */
  | { readonly kind: 'port'; readonly from?: number; readonly to?: number }
  /** One of `count` things that exist already, such as databases: `{n}` in the pattern counts from 1. */
  | { readonly kind: 'name'; readonly pattern: string; readonly count: number }
  /** A folder of its own. */
  | { readonly kind: 'folder' }
  /** Not leased for long, but held for a moment. */
  | { readonly kind: 'mutex' };

export interface Resources {
  /** Different holders get different ones, in every process of this user; the same holder gets the same again when it is free. */
  lease(request: LeaseRequest): Promise<ResourceLease>;
  /** Waits for its turn. The function that comes back gives the turn away. */
  hold(mutex: string, holder: Holder, options?: { readonly signal?: AbortSignal }): Promise<() => Promise<void>>;
}

export interface Holder {
  readonly root: string;
  readonly workspace: string;
}

export interface LeaseRequest extends Holder {
  /** All but the mutexes when left out. */
  readonly names?: readonly string[];
}

export interface ResourceLease {
  readonly values: Readonly<Record<string, string>>;
  /** The same for commands: `web_port` is `WEB_PORT`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders among them, to be seen by commands. */
  readonly folders: readonly string[];
  release(): Promise<void>;
}
