"""The engine: what a console does, written once as plans, without I/O.

`plan` explains plans. `ConsolePlans` has all operations of a console; it inherits, in this order,
from `RunPlans` (`run`), `FollowPlans`, `OutputPlans` and `PanePlans`. To follow one `run`: `run`,
`submit` (typing), `wait` (readiness), `output_plans` and `output` (reading the result).
"""
