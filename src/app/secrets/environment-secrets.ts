import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { credentialsIn, decoded, isSecretName } from '../../secrets/secret-value.ts';

/** What the user's environment holds that nobody must see: variables by their names, and passwords in addresses. */
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
export function addCredential(secrets: KnownSecrets, name: string, value: string): void {
  const plain = decoded(value.trim());
  secrets.add(name, plain);
  secrets.add(name, plain.split(/\s+/).at(-1));
}
