import { ConfigError } from '../config/index.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is not for this user to open',
};

/** For a listener that does not open: which port it was, and which setting makes it another one. */
export function tellingOfPort(port: number, setting: string) {
  return (error: unknown): never => {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = reasons[code];
    throw reason ? new ConfigError(`Port ${port} ${reason} (${code}): set ${setting} to another one.`) : error;
  };
}
