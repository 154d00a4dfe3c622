import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Starter, Vendor } from '../contestants/contestant.ts';
import { assertRecorded, startField } from '../entrants.ts';
import { startUpstream } from '../helpers.ts';
import { pin } from '../machine/pin.ts';
import { TLS_SUFFIX } from '../report/samples.ts';
import { compareWork } from './work.ts';

/**
 * Measures the cost of TLS to the vendor: contestants before an upstream with TLS, beside others, started at the same
 * time, before one without.
 */
export async function compareTls(bench: Bench, starters: readonly Starter[], plainVendor: Vendor): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-tls-'));
  try {
    const certificate = join(folder, 'certificate.pem');
    const key = join(folder, 'key.pem');
    if (!makeCertificate(certificate, key))
      return bench.note('TLS to the vendor was not measured: that needs `openssl`, for a certificate.');
    using upstream = await startUpstream({ certificate, key });
    pin(upstream.pid, 'upstream');
    const vendor = { url: upstream.url, caFile: certificate };
    await using plain = await startField(bench, starters, { vendor: plainVendor });
    await using field = await startField(bench, starters, { vendor, suffix: TLS_SUFFIX });
    await compareWork(bench, { part: 'tls', workload: 'chat', paces: ['saturation'] }, [
      ...plain.entrants,
      ...field.entrants,
    ]);
    await assertRecorded(plain);
    await assertRecorded(field);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a self-signed certificate for 127.0.0.1, with a common type of key. */
function makeCertificate(certificate: string, key: string): boolean {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { status } = spawnSync('openssl', [...args, ...subject, '-keyout', key, '-out', certificate]);
  return status === 0;
}
