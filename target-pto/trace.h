#include "trace/trace-target_pto.h"
