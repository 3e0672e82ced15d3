import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

type Signed = {
  secret: string;
  claims: JWTPayload;
  header?: Partial<JWTHeaderParameters>;
};

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A JWT as a registered service signs it: the bytes of the printed secret are the key. */
export function signJwt({ secret, claims, header = {} }: Signed): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...header }).sign(new TextEncoder().encode(secret));
}

/** The claims that the documentation requires, valid for an hour. */
export function goodClaims(who: { issuer: string; userId: string; audience: string }): JWTPayload {
  const iat = nowSeconds();
  return { iss: who.issuer, sub: who.userId, aud: who.audience, iat, exp: iat + 3600 };
}
