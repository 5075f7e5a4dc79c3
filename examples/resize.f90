! Fortran: a picture of one colour in another size, through the C interface.
!
!     gfortran resize.f90 $(pkg-config --libs uskor) && ./a.out
program resize
  use, intrinsic :: iso_c_binding
  implicit none

  interface
    function uskor_open(context, device) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), intent(out) :: context
      type(c_ptr), value :: device
      integer(c_int) :: status
    end function
    subroutine uskor_close(context) bind(c)
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine
    function uskor_resize(context, target, target_width, target_height, source, width, height) bind(c) result(status)
      import :: c_ptr, c_int, c_size_t, c_int8_t
      type(c_ptr), value :: context
      integer(c_int8_t), intent(out) :: target(*)
      integer(c_int8_t), intent(in) :: source(*)
      integer(c_size_t), value :: target_width, target_height, width, height
      integer(c_int) :: status
    end function
  end interface

  type(c_ptr) :: context
  integer(c_int8_t) :: small(4, 3, 2), large(4, 6, 4) ! channels, columns, rows

  small(1, :, :) = 10
  small(2, :, :) = 20
  small(3, :, :) = 30
  small(4, :, :) = 127
  if (uskor_open(context, c_null_ptr) /= 0) error stop "cannot open"
  if (uskor_resize(context, large, 6_c_size_t, 4_c_size_t, small, 3_c_size_t, 2_c_size_t) /= 0) error stop "cannot resize"
  print "(4(i0,1x))", large(:, 6, 4)
  call uskor_close(context)
end program
