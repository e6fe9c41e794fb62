import type { Contract } from '../../spec/contract.ts';

/** The path of a contract's base address, without a slash at its end: `/v1`; empty where it is the root. */
export function basePath({ document }: Pick<Contract, 'document'>): string {
  const { url = '/', variables = {} } = document.servers?.[0] ?? {};
  const filled = url.replace(/\{([^}]*)\}/g, (_, name: string) => variables[name]?.default ?? '');
  return new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '');
}

/** The rest of a path below a base path, or nothing where it does not lie there. */
export function below(base: string, path: string): string | undefined {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
