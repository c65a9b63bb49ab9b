import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate for 127.0.0.1. */
export function certificate(folder: string): Certificate {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}
