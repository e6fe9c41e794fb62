import { proveServiceFaults } from './proveServiceFaults.ts';

proveServiceFaults(0, 2);
