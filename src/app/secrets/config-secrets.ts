import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { credentialsIn, decoded, isSecretName, looksLikeKey } from '../../secrets/secret-value.ts';
import type { McpEndpoint } from '../../tools/mcp/endpoint.ts';
import type { WebSearchSettings } from '../../tools/port.ts';
import type { Config, ModelChoice } from '../config/config.ts';

/** Secrets in the user's environment: variables by their names, and passwords in addresses. */
export function environmentSecrets(environment: NodeJS.ProcessEnv): KnownSecrets {
  const secrets = new KnownSecrets();
  for (const [name, value = ''] of Object.entries(environment)) {
    if (isSecretName(name)) secrets.add(name, value);
    for (const credential of credentialsIn(value)) secrets.add(name, credential);
    if (name.startsWith('OTEL_EXPORTER_OTLP_') && name.endsWith('HEADERS')) addHeaderList(secrets, name, value);
  }
  return secrets;
}

/** `name=value,name=value`, as collectors have it. */
function addHeaderList(secrets: KnownSecrets, name: string, list: string): void {
  for (const header of list.split(',')) addCredential(secrets, name, header.slice(header.indexOf('=') + 1));
}

/** A credential as it is sent: of `Bearer key` the key alone counts too. */
function addCredential(secrets: KnownSecrets, name: string, value: string): void {
  const plain = decoded(value.trim());
  secrets.add(name, plain);
  secrets.add(name, plain.split(/\s+/).at(-1));
}

/** Adds what the settings name: keys of models, headers, keys in addresses, variables that programs are lent. */
export function addConfigSecrets(secrets: KnownSecrets, config: Config, environment: NodeJS.ProcessEnv): void {
  for (const choice of Object.values(config.models)) addModel(secrets, choice, environment);
  const endpoints = [searchOf(config.webSearch), ...Object.values(config.mcp)];
  for (const endpoint of endpoints) addEndpoint(secrets, endpoint, environment);
  const lent = [
    ...endpoints.flatMap(({ env = [] }) => env),
    ...Object.values(config.actors.acp ?? {}).flatMap(({ env }) => env),
  ];
  for (const credential of credentialsIn(config.journal ?? '')) secrets.add('journal', credential);
  for (const credential of credentialsIn(config.store ?? '')) secrets.add('store', credential);
  for (const name of lent) addNamed(secrets, name, environment[name] ?? '');
}

function addEndpoint(secrets: KnownSecrets, endpoint: McpEndpoint, environment: NodeJS.ProcessEnv): void {
  const { headers, url = '', apiKeyEnv } = endpoint;
  addHeaders(secrets, headers);
  for (const [name, value] of URL.parse(url)?.searchParams ?? []) addNamed(secrets, name, value);
  if (apiKeyEnv !== undefined) secrets.add(apiKeyEnv, environment[apiKeyEnv]);
}

function addModel(secrets: KnownSecrets, choice: ModelChoice, environment: NodeJS.ProcessEnv): void {
  if (choice.kind !== 'api') return;
  if (choice.apiKeyEnv !== null) secrets.add(choice.apiKeyEnv, environment[choice.apiKeyEnv]);
  addHeaders(secrets, choice.config.headers);
}

function searchOf(settings: WebSearchSettings | null): McpEndpoint {
  if (settings === null) return {};
  return 'mcp' in settings ? settings.mcp : { url: settings.url, ...('headers' in settings ? settings : {}) };
}

function addHeaders(secrets: KnownSecrets, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isSecretName(name) || looksLikeKey(value)) addCredential(secrets, name, value);
  }
}

/** Settings such as a region stand beside keys, and are no secrets. */
function addNamed(secrets: KnownSecrets, name: string, value: string): void {
  if (isSecretName(name) || looksLikeKey(value)) secrets.add(name, value);
}
