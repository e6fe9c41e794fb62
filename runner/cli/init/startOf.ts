import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { textOf } from './textOf.ts';

/**
 * A shell command that runs the project, as far as it can be seen: its start script, a file that such projects begin with, or
 * the way of its framework.
 */
export function startOf(folder: string, framework: string | undefined): string | undefined {
  return script(folder) ?? byFramework(folder, framework) ?? mainFile(folder);
}

/** A script that does nothing but start Node is taken as it is: nothing then stands between the kit and the process. */
function script(folder: string): string | undefined {
  const { start, dev } = scriptsOf(folder);
  if (start !== undefined) return /^node [^&|;]+$/.test(start) ? start : 'npm start';
  return dev === undefined ? undefined : 'npm run dev';
}

/** The scripts of the package in a folder; none where it has none. */
export function scriptsOf(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    return (JSON.parse(textOf(folder, 'package.json')) as { readonly scripts?: Record<string, string> }).scripts ?? {};
  } catch {
    return {};
  }
}

function byFramework(folder: string, framework: string | undefined): string | undefined {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const module = ['app', 'main', 'wsgi', 'server'].find((name) => has(`${name}.py`));
  switch (framework) {
    case 'Flask':
      return module && flaskStart(folder, module);
    case 'FastAPI':
      return module && `uvicorn ${module}:app --port 8000`;
    case 'Django':
      return 'python3 manage.py runserver 8000 --noreload';
    case 'Spring Boot':
      if (has('pom.xml')) return `${has('mvnw') ? './mvnw' : 'mvn'} spring-boot:run`;
      return `${has('gradlew') ? './gradlew' : 'gradle'} bootRun`;
    case 'Rails':
      return 'bin/rails server';
    case 'Laravel':
      return 'php artisan serve --port 8000';
    default:
      return has('go.mod') ? 'go run .' : undefined;
  }
}

function flaskStart(folder: string, module: string): string {
  return /\bapp\.run\(/.test(textOf(folder, `${module}.py`))
    ? `python3 ${module}.py`
    : `flask --app ${module} run --port 5000`;
}

function mainFile(folder: string): string | undefined {
  const names = ['server', 'index', 'app', 'main'].flatMap((name) => [`${name}.js`, `${name}.mjs`, `${name}.ts`]);
  const node = [...names, ...names.map((name) => `src/${name}`)].find((name) => existsSync(join(folder, name)));
  if (node !== undefined) return `node ${node}`;
  const python = ['server.py', 'app.py', 'main.py'].find((name) => existsSync(join(folder, name)));
  return python && `python3 ${python}`;
}
