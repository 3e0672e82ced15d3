import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './index.ts';
import { settings } from './settings.ts';
import { settingsTable } from './settings-table.ts';

/** Returns the one line that the operator would see. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`);
}

describe('without any setting', () => {
  const config = readConfig({});

  test('the documented limits and places hold', () => {
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: resolve('.bottega'),
      databaseUrl: null,
      secretKey: null,
      trustedProxies: [],
      rateWindow: 3600,
      burstWindow: 60,
      restoreDays: 30,
    });
    expect(config.plans.free.rate).toEqual({ requests: 1_000, burst: 100 });
    expect(config.plans.pro.rate).toEqual({ requests: 10_000, burst: 500 });
    expect(config.plans.enterprise.rate).toEqual({ requests: 100_000, burst: 2_000 });
  });

  test('every default is accepted by its own setting', () => {
    for (const [name, setting] of Object.entries(settings)) {
      if (setting.default) expect(() => readConfig({ [name]: setting.default ?? '' }), name).not.toThrow();
    }
  });

  test('the configuration cannot be changed afterwards', () => {
    expect(Object.isFrozen(config)).toBe(true);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });
});

describe('an unknown setting', () => {
  test.each(['BOTTEGA_PORTS', 'BOTTEGA_DATADIR', 'BOTTEGA_', 'BOTTEGA_SERVICES', 'BOTTEGA_rate_limit_free'])(
    'such as %s is refused in one line that names it',
    (name) => {
      expect(refusal({ [name]: 'x' })).toBe(`Unknown setting ${name}; docs/settings.md lists all settings.`);
    },
  );

  test('is refused even if it is empty, since it was meant for something', () => {
    expect(refusal({ BOTTEGA_TYPO: '' })).toContain('BOTTEGA_TYPO');
  });

  test('that does not begin with BOTTEGA_ is ignored', () => {
    expect(() =>
      readConfig({ PATH: '/bin', HOME: '/root', PGHOST: 'x', bottega_port: 'x', BOTTEGAS: 'x' }),
    ).not.toThrow();
  });

  test('that Kubernetes injects for a service named bottega is ignored', () => {
    const injected = {
      BOTTEGA_SERVICE_HOST: '10.0.0.1',
      BOTTEGA_SERVICE_PORT: '3000',
      BOTTEGA_SERVICE_PORT_HTTP: '3000',
      BOTTEGA_PORT: 'tcp://10.0.0.1:3000',
      BOTTEGA_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
      BOTTEGA_PORT_3000_TCP_PROTO: 'tcp',
      BOTTEGA_PORT_3000_TCP_PORT: '3000',
      BOTTEGA_PORT_3000_TCP_ADDR: '10.0.0.1',
    };
    expect(readConfig(injected)).toEqual(readConfig({}));
  });
});

describe('a service that ran builds as Kubernetes Jobs is told at the start', () => {
  test.each(['URL', 'ACCOUNT', 'NAMESPACE'])('that BOTTEGA_KUBERNETES_%s was removed, and what to set', (name) => {
    const settings = { BOTTEGA_BUILD_DRIVER: 'kubernetes', [`BOTTEGA_KUBERNETES_${name}`]: 'x' };
    expect(refusal(settings)).toBe(
      `BOTTEGA_KUBERNETES_${name} was removed in 0.3 with the Kubernetes driver: unset it, and set BOTTEGA_BUILD_DRIVER to auto, bubblewrap or container.`,
    );
  });

  test('which drivers there are', () => {
    expect(refusal({ BOTTEGA_BUILD_DRIVER: 'kubernetes' })).toBe(
      'Bad setting BOTTEGA_BUILD_DRIVER: it must be one of auto, bubblewrap, container, process, none.',
    );
  });
});

describe('the public address', () => {
  test.each(['0.0.0.0', '::', '10.0.0.7', 'bottega.example.com', '128.0.0.1'])(
    'has to be set for BOTTEGA_HOST=%s, where other machines can connect',
    (host) => {
      expect(refusal({ BOTTEGA_HOST: host })).toMatch(/^BOTTEGA_HOST is .+: set BOTTEGA_PUBLIC_URL .+\.$/);
      expect(readConfig({ BOTTEGA_HOST: host, BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' }).host).toBe(host);
    },
  );

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('need not be set for BOTTEGA_HOST=%s', (host) => {
    expect(readConfig({ BOTTEGA_HOST: host }).host).toBe(host);
  });
});

describe('a bad value', () => {
  const bad: Record<string, string[]> = {
    PORT: ['-1', '65536', '80a', '1e3', '3000.5', 'http', '0x50', ' '],
    BOTTEGA_HOST: [' '],
    BOTTEGA_PUBLIC_URL: [
      'bottega.example.com',
      'ftp://bottega.example.com',
      'https://bottega.example.com/path',
      'https://bottega.example.com/?a=b',
      'https://bottega.example.com/#a',
      'https://user:password@bottega.example.com',
      'https://',
    ],
    BOTTEGA_DATA_DIR: ['  '],
    DATABASE_URL: ['mysql://localhost/db', 'localhost:5432', '/var/run/postgresql'],
    BOTTEGA_DATABASE_POOL: ['1', '501', 'many'],
    BOTTEGA_SECRET_KEY: ['short', 'a'.repeat(63), 'a'.repeat(65), Buffer.alloc(31).toString('base64')],
    BOTTEGA_TRUSTED_PROXIES: [
      'proxy.example.com',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      '10.0.0',
      '::/129',
      '10.0.0.1,nonsense',
    ],
    BOTTEGA_LOG_LEVEL: ['verbose', 'INFO'],
    BOTTEGA_BODY_LIMIT: ['1023', '1MB', '99999999999999999999'],
    BOTTEGA_SHUTDOWN_TIMEOUT: ['0', '3601'],
    BOTTEGA_LAME_DUCK_SECONDS: ['-1', '301'],
    BOTTEGA_RATE_LIMIT_FREE: ['1000', '1000/', '/100', '0/100', '1000/0', '-1/5', 'a/b', '1000/100/10'],
    BOTTEGA_RATE_LIMIT_WINDOW: ['0', '86401'],
    BOTTEGA_PROJECT_LIMIT_FREE: ['-1', 'all', '1.5'],
    BOTTEGA_BUILDS_FREE: ['0', '-1', 'all'],
    BOTTEGA_STORAGE_LIMIT_PRO: ['1GB', 'unlimited'],
    BOTTEGA_RESTORE_DAYS: ['-1', '3651'],
    BOTTEGA_EVENT_DAYS: ['0', 'week'],
  };
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const));

  test.each(cases)('is refused in one line that names its setting: %s=%s', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^Bad setting ${name}: it .+\\.$`));
  });

  test('is reported in one line even if it has line breaks', () => {
    expect(refusal({ BOTTEGA_TRUSTED_PROXIES: '10.0.0.1\nnonsense' })).toContain('\\n');
  });

  test('of a secret is not repeated in the line', () => {
    const secret = 'not-quite-32-bytes-of-secret';
    expect(refusal({ BOTTEGA_SECRET_KEY: secret })).not.toContain(secret);
    expect(refusal({ DATABASE_URL: `mysql://user:${secret}@localhost/db` })).not.toContain(secret);
  });
});

describe('a good value', () => {
  test('may be empty, which counts as not set', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test('of the public URL is kept as an origin; without one it follows from the port', () => {
    expect(readConfig({ BOTTEGA_PUBLIC_URL: 'https://Bottega.Example.com:443/' }).publicUrl).toBe(
      'https://bottega.example.com',
    );
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(readConfig({ PORT: '0' }).publicUrl).toBeNull();
  });

  test('of the secret key may be hex or base64, and is the same 32 bytes', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64url'),
    ]) {
      expect(readConfig({ BOTTEGA_SECRET_KEY: text }).secretKey).toEqual(key);
    }
  });

  test('of the trusted proxies is a list with spaces and empty parts allowed', () => {
    const text = ' 10.0.0.0/8, 192.0.2.1 ,,2001:db8::/32 ';
    expect(readConfig({ BOTTEGA_TRUSTED_PROXIES: text }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
    ]);
  });

  test('of a limit may be none, and that of a tier is two numbers', () => {
    expect(readConfig({ BOTTEGA_PROJECT_LIMIT_FREE: 'none' }).plans.free.projects).toBeNull();
    expect(readConfig({ BOTTEGA_PROJECT_LIMIT_FREE: '0' }).plans.free.projects).toBe(0);
    expect(readConfig({ BOTTEGA_RATE_LIMIT_PRO: ' 5/2 ' }).plans.pro.rate).toEqual({ requests: 5, burst: 2 });
  });

  test('of the data directory is made absolute', () => {
    expect(readConfig({ BOTTEGA_DATA_DIR: 'data/here' }).dataDir).toBe(resolve('data/here'));
  });

  test.each([
    'postgres://user:password@host:5432/db',
    'postgresql://host/db?sslmode=require',
    'postgres://user@%2Frun/db',
  ])('of the database may be %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

test('docs/settings.md is the table that the code writes', () => {
  const page = readFileSync(new URL('../../../../../docs/settings.md', import.meta.url), 'utf8');
  expect(page).toBe(settingsTable());
  for (const name of Object.keys(settings)) expect(page).toContain(`| \`${name}\` |`);
});

describe('TLS in the service itself', () => {
  const acme = {
    BOTTEGA_TLS: 'acme',
    BOTTEGA_ACME_EMAIL: 'ops@example.com',
    BOTTEGA_PUBLIC_URL: 'https://bottega.example.com',
  };
  const files = { BOTTEGA_TLS_CERT: '/etc/tls/cert.pem', BOTTEGA_TLS_KEY: '/etc/tls/key.pem' };

  test('is off unless it is asked for', () => {
    expect(readConfig({ PORT: '443' }).tls).toBeNull();
  });

  test('turns the address that follows from the port into an https address', () => {
    expect(readConfig(files).publicUrl).toBe('https://localhost:3000');
    expect(readConfig({ ...files, PORT: '443' }).publicUrl).toBe('https://localhost');
  });

  test('redirects plain HTTP from port 80 if it listens at 443, and otherwise from the port that is set', () => {
    expect(readConfig({ ...acme, PORT: '443' }).tls?.httpPort).toBe(80);
    expect(readConfig({ ...acme, PORT: '443', BOTTEGA_HTTP_PORT: '0' }).tls?.httpPort).toBeNull();
    expect(readConfig(acme).tls?.httpPort).toBeNull();
    expect(readConfig({ ...acme, BOTTEGA_HTTP_PORT: '8080' }).tls?.httpPort).toBe(8080);
  });

  test.each([
    [{ BOTTEGA_TLS_CERT: 'cert.pem' }, 'belong together'],
    [{ ...acme, ...files }, 'set only one of them'],
    [{ BOTTEGA_HTTP_PORT: '80' }, 'requires TLS'],
    [{ ...files, BOTTEGA_PUBLIC_URL: 'http://bottega.example.com' }, 'BOTTEGA_PUBLIC_URL must be an https address'],
    [{ ...acme, BOTTEGA_APPS_URL: 'http://apps.example.net' }, 'BOTTEGA_APPS_URL must be an https address'],
    [{ ...acme, BOTTEGA_ACME_EMAIL: '' }, 'requires BOTTEGA_ACME_EMAIL'],
    [{ ...acme, BOTTEGA_PUBLIC_URL: '' }, 'requires BOTTEGA_PUBLIC_URL'],
    [{ ...acme, BOTTEGA_PUBLIC_URL: 'https://192.0.2.7' }, 'requires BOTTEGA_PUBLIC_URL'],
    [{ ...acme, BOTTEGA_PUBLIC_URL: 'https://[2001:db8::7]' }, 'requires BOTTEGA_PUBLIC_URL'],
    [{ ...acme, BOTTEGA_PUBLIC_URL: 'https://localhost' }, 'requires BOTTEGA_PUBLIC_URL'],
    [{ ...acme, BOTTEGA_ACME_EMAIL: 'nobody' }, 'must be an e-mail address'],
    [{ ...acme, BOTTEGA_ACME_DIRECTORY: 'http://ca.example.com' }, 'must be an https address'],
  ])('with %j is refused in one line', (settings, words) => {
    expect(refusal(settings)).toContain(words);
  });
});

test('a database address for sessions or reads is refused without the one for everything else', () => {
  expect(() => readConfig({ DATABASE_SESSION_URL: 'postgres://a@b/c' })).toThrow(
    'DATABASE_SESSION_URL requires DATABASE_URL',
  );
  expect(() => readConfig({ DATABASE_READ_URL: 'postgres://a@b/c' })).toThrow(
    'DATABASE_READ_URL requires DATABASE_URL',
  );
});

test('the address and the token of a client are not settings of the service, and do not keep it from starting', () => {
  expect(() => readConfig({ BOTTEGA_URL: 'https://bottega.example.com', BOTTEGA_TOKEN: 'btg_live_x' })).not.toThrow();
});
