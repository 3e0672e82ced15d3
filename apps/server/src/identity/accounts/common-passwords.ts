import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * Common passwords that are missing from the published lists: those of other keyboards, with non-English characters,
 * and with words of this service.
 */
const more = `p@ssword thepassword welcomehome fortnite secretpassword adminadmin admin1234 rootroot toor demodemo login
  abcdef abcdefg abcdefgh abcdefghi 123123123 12341234 00000000 88888888 99999999 12121212 13131313 87654321 987654321
  9876543210 qwertz qwertzuiop contraseña lösenord hunter42 correcthorsebatterystaple bottega bottegabottega bottega123
  codecode supersecret password1! welcome1! qwerty1! admin1! abc@123 pass@123 admin@123 test@123 user@123 india@123
  qwe@123 p@$$w0rd p@$$word pa$$word passw0rd! zxcvbnm,./ gmail yahoo instagram linkedin linked twitter leagueoflegends
  hearthstone`;

/**
 * About fifty thousand passwords, in lower case. They take eight megabytes of memory, so this file is imported only
 * when a node has to check a new password.
 */
export const commonPasswords: ReadonlySet<string> = new Set([...dictionary['passwords-common'], ...more.split(/\s+/)]);
