import { ConfigError } from '../config/index.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'cannot be opened by this user',
};

/** Explains why a port cannot be opened, with the port and the setting that changes it. */
export function tellingOfPort(port: number, setting: string) {
  return (error: unknown): never => {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = reasons[code];
    throw reason ? new ConfigError(`Port ${port} ${reason} (${code}): set ${setting} to another port.`) : error;
  };
}
